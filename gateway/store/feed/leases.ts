import { type Container, ErrorResponse, type JSONObject, type OperationInput } from '@azure/cosmos';
import { z } from 'zod';
import { type EntryRef, WaitingEntry } from '#gateway/contract/background.ts';
import type { FeedPort, LeaseChange, StoredLease } from '#gateway/feed/feed-port.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { StoreMeter } from '#gateway/pipeline/store-port.ts';
import { denialOf } from '#gateway/store/errors.ts';
import { LEASES } from '#gateway/store/layout/container.ts';
import type { StoreParts } from '#gateway/store/parts.ts';

const TIMEOUT_MS = 3_000;
const LEASE_ID = 'lease';
const DROPPED_TTL_S = 60;
const PRECONDITION_FAILED = new Set([404, 409, 412]);

const LeaseItem = z.object({
  owner: z.string().nullable(),
  term: z.int(),
  position: z.string().nullable(),
  _etag: z.string(),
});
const StoredEntry = z.object({ entry: WaitingEntry });

type Leases = Pick<FeedPort, 'readLease' | 'saveLease' | 'readWaiting'>;

/**
 * Leases of the feed's ranges and the entries that wait beside them: one logical partition a range in a container of its
 * own, so that position and waiting entries change together and only by whoever holds the lease.
 */
export function createLeases(parts: StoreParts, meter: StoreMeter): Leases {
  const ask = <T>(run: (leases: Container, signal: AbortSignal) => Promise<T>) => askLeases(parts, meter, run);
  return {
    async readLease(range) {
      const found = await ask((leases, signal) => readLeaseItem(leases, range, signal));
      if (isDenial(found)) return found;
      const none: StoredLease = { kind: 'lease', lease: { range, owner: null, term: 0, position: null }, etag: null };
      if (found.value === null) return none;
      const { _etag: etag, ...lease } = LeaseItem.parse(found.value);
      return { kind: 'lease', lease: { range, ...lease }, etag };
    },
    async saveLease(change) {
      const operations = operationsOf(change);
      const saved = await ask(async (leases, abortSignal) => {
        const { code, result = [] } = await leases.items.batch(operations, change.lease.range, { abortSignal });
        return { code, result };
      });
      if (isDenial(saved)) return saved;
      const { code, result } = saved.value;
      const [first] = result;
      if (code === 200 && first?.eTag !== undefined) return { kind: 'saved', etag: first.eTag };
      const cause = result.find(({ statusCode }) => statusCode !== 424)?.statusCode ?? 0;
      if (PRECONDITION_FAILED.has(cause)) return { kind: 'lost' };
      return deny('store_unavailable', `Cosmos DB answered ${cause} when a lease of the change feed was stored.`);
    },
    async readWaiting(range) {
      const found = await ask((leases, signal) => readAll(leases, range, signal));
      if (isDenial(found)) return found;
      const entries = found.value.flatMap((item) => {
        const stored = StoredEntry.safeParse(item);
        return stored.success ? [stored.data.entry] : [];
      });
      return { kind: 'waiting', entries };
    },
  };
}

async function askLeases<T>(
  parts: StoreParts,
  meter: StoreMeter,
  run: (leases: Container, signal: AbortSignal) => Promise<T>,
): Promise<{ readonly kind: 'ok'; readonly value: T } | Denial> {
  const call = { meter, session: [] };
  const asked = await parts.account.write(call, { pk: null, timeoutMs: TIMEOUT_MS }, async (container, signal) => {
    try {
      return { value: await run(container.database.container(LEASES), signal) };
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Told apart from a main container that is missing, which would make the whole process forget what it knows of it.
      return null;
    }
  });
  if (asked.kind === 'fault') return denialOf(asked.fault);
  if (asked.value !== null) return { kind: 'ok', value: asked.value.value };
  return deny('store_unavailable', 'The container "leases" does not exist; npm run cosmos:setup makes it.');
}

function isMissing(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof ErrorResponse && one.code === 404) return true;
  }
  return false;
}

/** A batch of one read: served where writes go, whatever the account's consistency. */
async function readLeaseItem(leases: Container, range: string, abortSignal: AbortSignal): Promise<unknown> {
  const read = { operationType: 'Read', id: LEASE_ID } as const;
  const { result = [], code } = await leases.items.batch([read], range, { abortSignal });
  const [found] = result;
  if (found?.statusCode === 404) return null;
  if (found?.statusCode === 200) return found.resourceBody;
  const error = new ErrorResponse(`A lease was answered ${found?.statusCode ?? code}.`);
  error.code = found?.statusCode ?? code ?? 500;
  throw error;
}

async function readAll(leases: Container, range: string, abortSignal: AbortSignal): Promise<readonly unknown[]> {
  const iterator = leases.items.query<unknown>('SELECT * FROM c', {
    partitionKey: range,
    maxItemCount: 1_000,
    abortSignal,
  });
  const found: unknown[] = [];
  while (iterator.hasMoreResults()) found.push(...((await iterator.fetchNext()).resources ?? []));
  return found;
}

function operationsOf({ lease, etag, keep, drop }: LeaseChange): OperationInput[] {
  const { range: pk, ...body } = lease;
  const resourceBody: JSONObject = { id: LEASE_ID, pk, ...body };
  const first: OperationInput =
    etag === null
      ? { operationType: 'Create', resourceBody }
      : { operationType: 'Replace', id: LEASE_ID, ifMatch: etag, resourceBody };
  const kept = keep.map((entry): OperationInput => {
    const stored = { id: waitingId(entry.ref), pk, entry };
    return { operationType: 'Upsert', resourceBody: stored };
  });
  // No delete: that fails when it is repeated, and all of this may be.
  const dropped = drop.map((ref): OperationInput => {
    return { operationType: 'Upsert', resourceBody: { id: waitingId(ref), pk, ttl: DROPPED_TTL_S } };
  });
  return [first, ...kept, ...dropped];
}

/** `x~<w>` is unique by itself. */
function waitingId({ id }: EntryRef): string {
  return `p${id.slice(1)}`;
}
