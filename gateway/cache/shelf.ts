import type { TenantName } from '#gateway/contract/ids.ts';
import type { Filled, FreshnessPort, Progress } from '#gateway/pipeline/freshness-port.ts';
import type { SessionToken } from '#gateway/pipeline/store-port.ts';
import { createReader, createWriter, NUMBER_BYTES, type Reader, textBytes, type Writer } from './bytes.ts';
import type { Codec } from './entry.ts';
import type { Slab } from './slab.ts';

/** What is asked of an entry before it is shown. */
export interface Terms {
  readonly tenant: TenantName;
  /** The partition's state now. */
  readonly state: number;
  readonly ttlMs: number;
  readonly nowMs: number;
  readonly client: readonly SessionToken[];
}

/** Where an entry came from. */
export interface Origin extends Filled {
  /** The partition's state before the read. */
  readonly state: number;
  /** Revision of what was read; 0 when it has none. */
  readonly r: number;
  /** Data keys that its content was sealed with. */
  readonly keyIds: readonly string[];
}

export interface Seen<T> {
  readonly value: T;
  readonly atMs: number;
  readonly progress: Progress;
}

/** Entries with what decides whether they may be shown. */
export interface Shelf {
  look<T>(key: string, codec: Codec<T>, terms: Terms): Seen<T> | null;
  keep<T>(place: { readonly key: string; readonly tenant: TenantName }, codec: Codec<T>, what: Kept<T>): void;
  /** Drops everything of a tenant. */
  dropTenant(tenant: TenantName): void;
}

export interface Kept<T> {
  readonly value: T;
  readonly origin: Origin;
}

export interface ShelfParts {
  readonly slab: Slab;
  readonly freshness: Pick<FreshnessPort, 'covers'>;
  /** Whether a data key may still be used. */
  readonly holdsKey: (tenant: TenantName, keyId: string) => boolean;
}

export function createShelf({ slab, freshness, holdsKey }: ShelfParts): Shelf {
  function mayShow(origin: Origin, { tenant, state, ttlMs, nowMs, client }: Terms): boolean {
    const ageMs = nowMs - origin.atMs;
    if (origin.state !== state || ageMs < 0 || ageMs >= ttlMs) return false;
    return origin.keyIds.every((id) => holdsKey(tenant, id)) && freshness.covers(origin, client, nowMs);
  }

  return {
    look(key, codec, terms) {
      const found = slab.find(key);
      if (found === null) return null;
      const reader = createReader(slab.buffer, found.at);
      const origin = readOrigin(reader);
      if (!mayShow(origin, terms)) return null;
      return { value: codec.read(reader), atMs: origin.atMs, progress: origin.progress };
    },
    keep({ key, tenant }, codec, { value, origin }) {
      const found = slab.find(key);
      const present = found === null ? null : readOrigin(createReader(slab.buffer, found.at));
      // A region that lags may answer after one that does not.
      if (present !== null && present.state === origin.state && present.r > origin.r && origin.r > 0) return;
      slab.put({
        key,
        group: tenant,
        bytes: originBytes(origin) + codec.sizeOf(value),
        write: (buffer, at) => {
          const writer = createWriter(buffer, at);
          writeOrigin(writer, origin);
          codec.write(writer, value);
        },
      });
    },
    dropTenant: (tenant) => slab.dropGroup(tenant),
  };
}

function originBytes({ progress, keyIds }: Origin): number {
  return 3 * NUMBER_BYTES + 1 + textBytes(progress) + textBytes(keyIds.join(','));
}

function writeOrigin(writer: Writer, { atMs, state, r, isExact, progress, keyIds }: Origin): void {
  writer.number(atMs);
  writer.number(state);
  writer.number(r);
  writer.byte(isExact ? 1 : 0);
  writer.text(progress);
  writer.text(keyIds.join(','));
}

function readOrigin(reader: Reader): Origin {
  const [atMs, state, r] = [reader.number(), reader.number(), reader.number()];
  const isExact = reader.byte() === 1;
  const progress = reader.text();
  const ids = reader.text();
  return { atMs, state, r, isExact, progress, keyIds: ids === '' ? [] : ids.split(',') };
}
