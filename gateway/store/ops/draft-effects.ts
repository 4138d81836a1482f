import type { Denial } from '#gateway/pipeline/denial.ts';
import type { ObjectKey } from '#gateway/pipeline/store-port.ts';
import type { HeadItem, OutboxBody } from '#gateway/store/layout/items.ts';
import { type CountChange, type HeadWrite, unmetDemand } from '#gateway/store/write/head.ts';
import { outboxesOf } from './edge-route.ts';
import type { EdgeSlot } from './partition-draft.ts';

/** A patch has at most ten operations in Cosmos; one of them is for the bytes. */
const MOST_PATCHED_COUNTS = 9;

const EMPTY: HeadItem = { state: 'open', n: {}, bytes: 0, _etag: '' };

/**
 * What a commit does to the head: a conditional patch, which excludes no other write, or for more edge types than one patch
 * takes a replacement of the head that was read. Null when it names no edge. Refuses with `delete_in_progress` and
 * `limit_exceeded`.
 */
export function headOf(slots: readonly EdgeSlot[], head: HeadItem | null): HeadWrite | Denial | null {
  if (slots.length === 0) return null;
  const counts = countsOf(slots);
  const hasRoom = slots.some(({ now, before }) => now !== null && now !== before);
  const count = { kind: 'count', counts, demands: { isOpen: true, hasRoom } } as const;
  const unmet = unmetDemand(head ?? EMPTY, count);
  if (unmet !== null) return unmet;
  const changed = counts.filter(({ delta }) => delta !== 0);
  if (changed.length <= MOST_PATCHED_COUNTS) return count;
  const n = { ...head?.n };
  for (const { edgeType, delta } of changed) n[edgeType] = Math.max(0, (n[edgeType] ?? 0) + delta);
  return { kind: 'replace', previous: head, state: 'open', n };
}

/** By edge type, in the order in which the commit first named them. */
function countsOf(slots: readonly EdgeSlot[]): readonly CountChange[] {
  return [...Map.groupBy(slots, ({ rule }) => rule.edgeType)].map(([edgeType, own]) => ({
    edgeType,
    delta: own.reduce((sum, { before, now }) => sum + Number(now !== null) - Number(before !== null), 0),
    maxEdges: own[0]?.rule.maxEdges ?? null,
  }));
}

/** An outbox entry for each mirrored edge type of which the commit changed edges. */
export function outboxesOfDraft(from: ObjectKey, slots: readonly EdgeSlot[], atMs: number): readonly OutboxBody[] {
  const changed = slots.filter(({ now, before }) => now !== before);
  return [...Map.groupBy(changed, ({ rule }) => rule.edgeType).values()].flatMap((own) => {
    const rule = own[0]?.rule;
    return rule === undefined ? [] : outboxesOf({ from, rule }, own.flatMap(pairsOf), atMs);
  });
}

/** Targets whose inverse is no longer what it was. */
function pairsOf({ before, now, r }: EdgeSlot): OutboxBody['pairs'] {
  const targets = new Set([before?.toId, now?.toId].filter((toId) => toId !== undefined));
  return [...targets].map((to) => ({ to, r }));
}
