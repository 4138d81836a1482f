import { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { StorePort } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, isDead, type OutboxBody } from '#gateway/store/layout/items.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import { itemState } from '#gateway/store/write/item-state.ts';
import { type Plan, revisionAfter, type Stamp, settle, type WriteJob } from '#gateway/store/write/settle.ts';
import { applyInverses } from './apply-inverse.ts';
import { liveEdge } from './edge-bodies.ts';
import { type EdgeAddress, edgePlace, forwardOf, outboxesOf } from './edge-route.ts';

const Outcome = z.object({ r: z.int(), timeMs: z.int(), created: z.boolean() });
type Outcome = z.infer<typeof Outcome>;

type Put = Parameters<StorePort['putEdge']>[1];

/**
 * Adds an edge or overwrites it: time and data move, the count stays (T1). Edge, count and outbox entry commit together
 * or not at all; the inverse follows at once. Refuses with `limit_exceeded` at the type's maxEdges and
 * `delete_in_progress`.
 */
export function createPutEdge(parts: StoreParts): StorePort['putEdge'] {
  return async (named, put, call) => {
    const edge = forwardOf(named);
    const { pk, id } = edgePlace(edge);
    const job: WriteJob<EdgeItem | null, Outcome> = {
      pk,
      outcome: Outcome,
      // Mostly new: the first batch creates it, and only a conflict reads.
      guess: { state: null },
      read: () => itemState(parts, { pk, id, schema: EdgeItem }, call),
      plan: (previous, stamp) => planPut(parts, { edge, put, previous }, stamp),
    };
    const result = await settle(parts, job, call);
    if (isDenial(result)) return result;
    const { outcome, written, session } = result;
    const live = [{ edgeType: edge.rule.edgeType, toId: edge.toId, ...put }];
    const applied = await applyInverses(parts, { pk, written, live }, call);
    return { kind: 'reply', value: outcome, session: mergeSessions(session, applied) };
  };
}

interface PutOn {
  readonly edge: EdgeAddress;
  readonly put: Put;
  readonly previous: EdgeItem | null;
}

async function planPut(parts: StoreParts, on: PutOn, stamp: Stamp): Promise<Plan<Outcome> | Denial> {
  const { edge, put, previous } = on;
  const { rule, toId } = edge;
  const { w, nowMs } = stamp;
  const r = revisionAfter(previous, nowMs);
  const body = await liveEdge(parts, edgePlace(edge), { ...put, r, w });
  if (isDenial(body)) return body;

  const live = previous === null || isDead(previous) ? null : previous;
  const isNew = live === null;
  const head = {
    kind: 'count',
    counts: [{ edgeType: rule.edgeType, delta: isNew ? 1 : 0, maxEdges: rule.maxEdges }],
    demands: { isOpen: true, hasRoom: true },
  } as const;
  // Cardinality one: the item of another target is overwritten, so that pair is gone.
  const replaced = live !== null && live.to !== toId ? [{ to: live.to, r }] : [];
  const pairs: OutboxBody['pairs'] = [...replaced, { to: toId, r }];
  const outcome = { r, timeMs: put.timeMs, created: isNew || replaced.length > 0 };
  return { kind: 'write', items: [{ body, previous }], head, outboxes: outboxesOf(edge, pairs, nowMs), outcome };
}
