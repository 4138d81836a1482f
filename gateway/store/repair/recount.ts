import { z } from 'zod';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import { HeadItem, storedBytes } from '#gateway/store/layout/items.ts';
import { HEAD_ID, isHeldByHead, OBJECT_ID } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { queryPartition } from '#gateway/store/read/query-partition.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { commit } from '#gateway/store/write/commit.ts';

/** Any item of a partition, as far as counting goes. */
const AnyItem = z.looseObject({ id: z.string(), dead: z.boolean().optional(), type: z.string().optional() });
export type AnyItem = z.infer<typeof AnyItem>;

export interface CountDrift {
  /** Edge types whose count is not the length of their list. */
  readonly counts: readonly { readonly edgeType: string; readonly counted: number; readonly listed: number }[];
  readonly bytes: { readonly counted: number; readonly stored: number };
}

export interface Recount {
  readonly kind: 'recount';
  readonly items: readonly AnyItem[];
  /**
   * Null when the head agrees with what is stored, or a sweep is at work on it. More bytes than are stored are no drift:
   * what expired or was marked done is not taken off by itself, and a fix takes it off.
   */
  readonly drift: CountDrift | null;
  readonly isFixed: boolean;
}

/** More than a partition's wall of 20 GB can hold of the smallest items. */
const EVERYTHING = 100_000_000;
const ROUNDS = 5;

/**
 * Compares the head of a partition with what is stored in it, and with `fix` replaces it under the etag that was read
 * before everything else: an edge write in between makes it start over, so what it says and writes is exact. Refuses with
 * `write_contended` when the partition is never still for as long as reading it takes, with `limit_exceeded` when it has more items than told.
 */
export async function recount(
  parts: StoreParts,
  on: { readonly pk: string; readonly fix: boolean; readonly mostItems?: number },
  call: WriteCall,
): Promise<Recount | Denial> {
  const { pk, fix, mostItems = EVERYTHING } = on;
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await readHead(parts, pk, call);
    if (isDenial(found)) return found;
    const all = await readAll(parts, { pk, limit: mostItems }, call);
    if (isDenial(all)) return all;
    const { items } = all;
    if (items.length >= mostItems) return deny('limit_exceeded', `The object has ${mostItems} items or more.`);
    const head = found.item;
    const counted = countOf(items);
    const isClosing = head?.state === 'closing';
    const drift = isClosing ? null : driftOf(head, counted);
    const isRight = drift === null && (head?.bytes ?? 0) === counted.bytes;
    if (isClosing || isRight || (drift === null && !fix)) return { kind: 'recount', items, drift, isFixed: false };
    if (!fix) {
      const now = await readHead(parts, pk, call);
      if (isDenial(now)) return now;
      if (now.item?._etag === head?._etag) return { kind: 'recount', items, drift, isFixed: false };
      continue;
    }
    const fixed = await replaceHead(parts, { pk, head, counted }, call);
    if (isDenial(fixed)) return fixed;
    if (fixed.kind === 'committed') return { kind: 'recount', items, drift, isFixed: true };
  }
  return deny('write_contended', 'The object is written too often to be counted.');
}

function readHead(parts: StoreParts, pk: string, call: WriteCall) {
  return readItem(parts, { pk, id: HEAD_ID, schema: HeadItem, consistency: 'critical' }, call);
}

function readAll(parts: StoreParts, on: { readonly pk: string; readonly limit: number }, call: WriteCall) {
  const query = { query: 'SELECT * FROM c', parameters: [] };
  return queryPartition(parts, { ...on, query, schema: AnyItem }, { ...call, consistency: 'critical' });
}

interface Counted {
  readonly n: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** What the head must hold at least. */
  readonly heldBytes: number;
}

/** As writes count: edges that are live; the bytes of everything but the head and the object. */
function countOf(items: readonly AnyItem[]): Counted {
  const n: Record<string, number> = {};
  let bytes = 0;
  let heldBytes = 0;
  for (const item of items) {
    if (item.id === HEAD_ID || item.id === OBJECT_ID) continue;
    const ownBytes = storedBytes(item);
    bytes += ownBytes;
    if (isHeldByHead(item.id)) heldBytes += ownBytes;
    if (item.id.startsWith('e~') && item.dead !== true && item.type !== undefined)
      n[item.type] = (n[item.type] ?? 0) + 1;
  }
  return { n, bytes, heldBytes };
}

/** What a head (or none) counts, against what is there; null when they agree. */
export function driftOf(
  head: Pick<HeadItem, 'n' | 'bytes'> | null,
  { n, heldBytes }: Pick<Counted, 'n' | 'heldBytes'>,
): CountDrift | null {
  const edgeTypes = new Set([...Object.keys(n), ...Object.keys(head?.n ?? {})]);
  const counts = [...edgeTypes]
    .map((edgeType) => ({ edgeType, counted: head?.n[edgeType] ?? 0, listed: n[edgeType] ?? 0 }))
    .filter(({ counted, listed }) => counted !== listed);
  const counted = head?.bytes ?? 0;
  return counts.length === 0 && counted >= heldBytes ? null : { counts, bytes: { counted, stored: heldBytes } };
}

function replaceHead(
  parts: StoreParts,
  on: { readonly pk: string; readonly head: HeadItem | null; readonly counted: Counted },
  call: WriteCall,
) {
  const { pk, head, counted } = on;
  // What the batch adds to the bytes is nothing, so they become what is given as the state before.
  const previous = head === null ? null : { ...head, bytes: counted.bytes };
  const batch = {
    ...{ pk, w: parts.newUlid(), record: null, items: [], outboxes: [] },
    head: { kind: 'replace', previous, state: 'open', n: counted.n },
  } as const;
  return commit(parts, { batch, progress: { sent: false, outstanding: false } }, { ...call, idempotency: null });
}
