import { z } from 'zod';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { StoreAnswer, StorePort, WriteCall } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, isDead, type LiveEdgeItem } from '#gateway/store/layout/items.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import { itemState } from '#gateway/store/write/item-state.ts';
import { type Plan, revisionAfter, type Stamp, settle, type WriteJob } from '#gateway/store/write/settle.ts';
import { applyInverses } from './apply-inverse.ts';
import { deadEdge } from './edge-bodies.ts';
import { type EdgeAddress, edgePlace, forwardOf, outboxesOf } from './edge-route.ts';

const Outcome = z.object({ deleted: z.boolean() });
type Outcome = z.infer<typeof Outcome>;

/**
 * Turns an edge into a tombstone that expires after seven days, and counts it down in the same batch. Deleting a missing
 * edge changes nothing (T2), which only a critical read or a failed guard may decide.
 */
export function createDeleteEdge(parts: StoreParts): StorePort['deleteEdge'] {
  return (named, call) => removeEdge(parts, { edge: forwardOf(named), mustBeOpen: true, upTo: null }, call);
}

interface Removal {
  /** A forward edge. */
  readonly edge: EdgeAddress;
  /** Off for a sweep, which also takes edges of an object that is being deleted itself. */
  readonly mustBeOpen: boolean;
  /** An edge of a later revision stays; null for none. */
  readonly upTo: number | null;
}

/** Deletes one forward edge and its inverse. */
export async function removeEdge(parts: StoreParts, removal: Removal, call: WriteCall): StoreAnswer<Outcome> {
  const { edge, upTo } = removal;
  const { pk, id } = edgePlace(edge);
  const job: WriteJob<EdgeItem | null, Outcome> = {
    pk,
    outcome: Outcome,
    guess: null,
    read: () => itemState(parts, { pk, id, schema: EdgeItem }, call),
    plan: async (previous, stamp) => {
      // Cardinality one: the item may hold another target, and then this edge is not there.
      const isThere = previous !== null && !isDead(previous) && previous.to === edge.toId;
      const isMeant = isThere && (upTo === null || previous.r <= upTo);
      return isMeant ? planDelete(removal, previous, stamp) : { kind: 'nothing', outcome: { deleted: false } };
    },
  };
  const result = await settle(parts, job, call);
  if (isDenial(result)) return result;
  const { outcome, written, session } = result;
  const applied = await applyInverses(parts, { pk, written, live: [] }, call);
  return { kind: 'reply', value: outcome, session: mergeSessions(session, applied) };
}

function planDelete({ edge, mustBeOpen }: Removal, previous: LiveEdgeItem, stamp: Stamp): Plan<Outcome> {
  const { w, nowMs } = stamp;
  const { edgeType } = edge.rule;
  const r = revisionAfter(previous, nowMs);
  const body = deadEdge(edgePlace(edge), { r, w, nowMs });
  const head = {
    kind: 'count',
    counts: [{ edgeType, delta: -1, maxEdges: null }],
    demands: { isOpen: mustBeOpen, hasRoom: false },
  } as const;
  const outboxes = outboxesOf(edge, [{ to: edge.toId, r }], nowMs);
  return { kind: 'write', items: [{ body, previous }], head, outboxes, outcome: { deleted: true } };
}
