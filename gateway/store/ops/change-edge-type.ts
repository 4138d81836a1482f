import { z } from 'zod';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { StorePort, WriteCall } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, isDead, type LiveEdgeItem } from '#gateway/store/layout/items.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItems } from '#gateway/store/read/read-items.ts';
import { mergeSessions } from '#gateway/store/session-tokens.ts';
import type { HeadWrite } from '#gateway/store/write/head.ts';
import {
  type Plan,
  revisionAfter,
  type Stamp,
  type State,
  settle,
  type WriteJob,
} from '#gateway/store/write/settle.ts';
import { applyInverses } from './apply-inverse.ts';
import { deadEdge, type EdgeContent, liveEdge } from './edge-bodies.ts';
import { type EdgeAddress, edgePlace, forwardOf, outboxesOf, storedEdge } from './edge-route.ts';

const Outcome = z.object({ r: z.int(), timeMs: z.int(), replaced: z.boolean() });
type Outcome = z.infer<typeof Outcome>;

/**
 * Moves an edge to another type with the same ends: one batch takes it from one type and its count and gives it, time and
 * data unchanged, to the other; both inverses follow (T4). An edge of the other type to the same target is overwritten, as a
 * put would. Refuses with `edge_not_found`, `content_too_large`, `limit_exceeded`, `delete_in_progress`.
 */
export function createChangeEdgeType(parts: StoreParts): StorePort['changeEdgeType'] {
  return async (named, { rule, dataMaxBytes }, call) => {
    const move: Move = { from: forwardOf(named), to: forwardOf({ ...named, rule }), dataMaxBytes };
    const { pk } = edgePlace(move.from);
    let moved: EdgeContent = { timeMs: 0, data: null };
    const job: WriteJob<Ends, Outcome> = {
      pk,
      outcome: Outcome,
      guess: null,
      read: () => readEnds(parts, move, call),
      plan: async (ends, stamp) => {
        const content = await movingContent(parts, move, ends.from);
        if (isDenial(content)) return content;
        moved = content;
        return planMove(parts, { move, ends, content }, stamp);
      },
    };
    const result = await settle(parts, job, call);
    if (isDenial(result)) return result;
    const { outcome, written, session } = result;
    const live = [{ edgeType: move.to.rule.edgeType, toId: move.to.toId, ...moved }];
    const applied = await applyInverses(parts, { pk, written, live }, call);
    return { kind: 'reply', value: outcome, session: mergeSessions(session, applied) };
  };
}

/** Two forward edges of one partition. */
interface Move {
  readonly from: EdgeAddress;
  readonly to: EdgeAddress;
  readonly dataMaxBytes: number;
}

/** What lies in the places of both edges now. */
interface Ends {
  readonly from: EdgeItem | null;
  readonly to: EdgeItem | null;
}

async function readEnds(parts: StoreParts, { from, to }: Move, call: WriteCall): Promise<State<Ends> | Denial> {
  const [source, target] = [edgePlace(from), edgePlace(to)];
  const ids = [source.id, target.id];
  const found = await readItems(parts, { pk: source.pk, ids, schema: EdgeItem, consistency: 'critical' }, call);
  if (isDenial(found)) return found;
  const itemOf = (id: string) => found.items.find((item) => item.id === id) ?? null;
  return { state: { from: itemOf(source.id), to: itemOf(target.id) } };
}

/** Opened, since what is sealed to one place does not open in another. */
async function movingContent(
  parts: StoreParts,
  { from, dataMaxBytes }: Move,
  item: EdgeItem | null,
): Promise<EdgeContent | Denial> {
  if (!isLiveTo(from, item)) return deny('edge_not_found', `There is no ${from.rule.edgeType} edge to this id.`);
  const { timeMs, data: sealed, binding } = storedEdge(from.from, from.rule, item);
  if (sealed === null) return { timeMs, data: null };
  if (sealed.plainBytes > dataMaxBytes) {
    const details = { maxBytes: dataMaxBytes, bytes: sealed.plainBytes };
    return deny('content_too_large', `The edge's data has ${sealed.plainBytes} bytes, more than its new type takes.`, {
      details,
    });
  }
  const data = await parts.content.open(binding, sealed);
  return isDenial(data) ? data : { timeMs, data };
}

/** Cardinality one: the item may hold another target, and then this edge is not there. */
function isLiveTo(edge: EdgeAddress, item: EdgeItem | null): item is LiveEdgeItem {
  return item !== null && !isDead(item) && item.to === edge.toId;
}

interface Moving {
  readonly move: Move;
  readonly ends: Ends;
  readonly content: EdgeContent;
}

async function planMove(
  parts: StoreParts,
  { move, ends, content }: Moving,
  { w, nowMs }: Stamp,
): Promise<Plan<Outcome> | Denial> {
  const { from, to } = move;
  const left = revisionAfter(ends.from, nowMs);
  const r = revisionAfter(ends.to, nowMs);
  const body = await liveEdge(parts, edgePlace(to), { ...content, r, w });
  if (isDenial(body)) return body;
  const overwritten = ends.to === null || isDead(ends.to) ? null : ends.to;
  const { edgeType, maxEdges } = to.rule;
  const head: HeadWrite = {
    kind: 'count',
    counts: [
      { edgeType: from.rule.edgeType, delta: -1, maxEdges: null },
      { edgeType, delta: overwritten === null ? 1 : 0, maxEdges },
    ],
    demands: { isOpen: true, hasRoom: true },
  };
  const gone = overwritten !== null && overwritten.to !== to.toId ? [{ to: overwritten.to, r }] : [];
  const outboxes = [
    ...outboxesOf(from, [{ to: from.toId, r: left }], nowMs),
    ...outboxesOf(to, [...gone, { to: to.toId, r }], nowMs),
  ];
  const items = [
    { body: deadEdge(edgePlace(from), { r: left, w, nowMs }), previous: ends.from },
    { body, previous: ends.to },
  ];
  const outcome = { r, timeMs: content.timeMs, replaced: overwritten?.to === to.toId };
  return { kind: 'write', items, head, outboxes, outcome };
}
