import type { EntryRef } from '#gateway/contract/background.ts';
import type { EntryEnd } from '#gateway/feed/feed-port.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import { eachOf } from '#gateway/store/each-of.ts';
import {
  EdgeItem,
  isDead,
  isDone,
  type LiveEdgeItem,
  type OutboxBody,
  type SweepBody,
} from '#gateway/store/layout/items.ts';
import { edgeItemId, manyEdgeItemId } from '#gateway/store/layout/keys.ts';
import { type LiveForward, type Mirror, markDone, mirrorPair } from '#gateway/store/ops/apply-inverse.ts';
import { sweepObject } from '#gateway/store/ops/sweep-object.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { EntryItem } from './entries.ts';

/** Inverses of one entry that are written side by side: each lies in another partition. */
const PARALLEL = 8;
/** Batches of a sweep before other entries get their turn. */
const SWEEP_TURNS = 8;

/**
 * Brings an outbox entry to its end: the present state of each of its forward edges is read where writes go and written to
 * the inverse with its revision, if that is newer; a sweep goes on for some turns. Applying writes no entry. The state of a
 * forward edge that is gone altogether (its tombstone expired) is a tombstone of the entry's own revision, so an entry is
 * applied correctly however old it is.
 */
export async function applyEntry(parts: StoreParts, ref: EntryRef, call: WriteCall): Promise<EntryEnd> {
  const found = await readItem(parts, { ...ref, schema: EntryItem, consistency: 'critical' }, call);
  if (isDenial(found)) return found;
  const entry = found.item;
  // A done entry expires after an hour, so one that is missing was done.
  if (entry === null || isDone(entry)) return { kind: 'done' };
  return entry.kind === 'sweep' ? sweepOn(parts, entry, call) : applyPairs(parts, { ref, outbox: entry }, call);
}

async function sweepOn(parts: StoreParts, sweep: SweepBody, call: WriteCall): Promise<EntryEnd> {
  const key = { tenant: sweep.tenant, type: sweep.fromType, id: sweep.fromId };
  const end = await sweepObject(parts, key, { call, turns: SWEEP_TURNS });
  if (end.kind === 'swept') return { kind: 'done' };
  if (end.why === 'budget') return { kind: 'going' };
  return end.why === 'leased' ? { kind: 'taken' } : end.why;
}

interface Pairs {
  readonly ref: EntryRef;
  readonly outbox: OutboxBody;
}

async function applyPairs(parts: StoreParts, { ref, outbox }: Pairs, call: WriteCall): Promise<EntryEnd> {
  const { pk, id } = ref;
  const results = await eachOf(outbox.pairs, PARALLEL, async (pair) => {
    const mirror = await presentState(parts, { pk, outbox, pair }, call);
    return isDenial(mirror) ? mirror : mirrorPair(parts, mirror, call);
  });
  const refusal = results.find(isDenial);
  if (refusal !== undefined) return refusal;
  const marked = await markDone(parts, { pk, entry: { id, w: writeOf(id) } }, call);
  if (marked.kind === 'committed') return { kind: 'done' };
  return deny('store_unavailable', 'The inverses are written; that the entry is done could not be stored.');
}

/** `x~<w>`, or `x~<w>~<n>` where a write left several. */
function writeOf(entryId: string): string {
  return entryId.split('~')[1] ?? '';
}

interface PairOf {
  readonly pk: string;
  readonly outbox: OutboxBody;
  readonly pair: Mirror['pair'];
}

async function presentState(
  parts: StoreParts,
  { pk, outbox, pair }: PairOf,
  call: WriteCall,
): Promise<Mirror | Denial> {
  const forward = await readForward(parts, { pk, outbox, pair }, call);
  if (isDenial(forward)) return forward;
  const { item } = forward;
  const r = Math.max(pair.r, item?.r ?? 0);
  // Cardinality one: the item may hold another target by now, and then this edge is gone.
  if (item === null || isDead(item) || item.to !== pair.to) return { outbox, pair: { to: pair.to, r }, live: null };
  const data = await openData(parts, { pk, outbox, item });
  if (isDenial(data)) return data;
  const live: LiveForward = { edgeType: outbox.edgeType, toId: pair.to, timeMs: item.timeMs, data: data.bytes };
  return { outbox, pair: { to: pair.to, r: item.r }, live };
}

/** An entry does not say which cardinality its edge type has, so both places are looked at. */
async function readForward(parts: StoreParts, { pk, outbox, pair }: PairOf, call: WriteCall) {
  const read = (id: string) => readItem(parts, { pk, id, schema: EdgeItem, consistency: 'critical' }, call);
  const many = await read(manyEdgeItemId(outbox.edgeType, pair.to));
  if (isDenial(many) || many.item !== null) return many;
  return read(edgeItemId({ edgeType: outbox.edgeType, cardinality: 'one' }, pair.to));
}

async function openData(
  parts: StoreParts,
  edge: { readonly pk: string; readonly outbox: OutboxBody; readonly item: LiveEdgeItem },
): Promise<{ readonly kind: 'data'; readonly bytes: Uint8Array | null } | Denial> {
  const { pk, outbox, item } = edge;
  if (item.content === undefined) return { kind: 'data', bytes: null };
  const { r, timeMs, id: itemId } = item;
  const binding = { tenant: outbox.tenant, pk, itemId, type: outbox.edgeType, r, timeMs };
  const opened = await parts.content.open(binding, item.content);
  return isDenial(opened) ? opened : { kind: 'data', bytes: opened };
}
