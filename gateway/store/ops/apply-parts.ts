import { type Denial, deny, denyOperation, isDenial } from '#gateway/pipeline/denial.ts';
import type { CommitOutcome, CommitPart } from '#gateway/pipeline/store-port.ts';
import { isDead, type ObjectItem } from '#gateway/store/layout/items.ts';
import { revisionAfter } from '#gateway/store/write/settle.ts';
import type { Draft, EdgeNow } from './partition-draft.ts';
import { unmetPrecondition } from './put-object.ts';

export interface Applying {
  readonly draft: Draft;
  readonly object: ObjectItem | null;
  readonly nowMs: number;
}

type PartOf<O extends CommitPart['operation']> = Extract<CommitPart, { operation: O }>;

/**
 * The parts of a commit on its draft, one after another. The first that is refused refuses them all, and is named when there
 * are several.
 */
export function applyParts(steps: readonly CommitPart[], on: Applying): readonly CommitOutcome[] | Denial {
  const outcomes: CommitOutcome[] = [];
  for (const [operation, step] of steps.entries()) {
    const outcome = applyPart(step, on);
    if (isDenial(outcome)) {
      return steps.length === 1 ? outcome : denyOperation(operation, outcome);
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

function applyPart(step: CommitPart, on: Applying): CommitOutcome | Denial {
  switch (step.operation) {
    case 'object.put':
      return putObject(step, on);
    case 'edge.put':
      return putEdge(step, on);
    case 'edge.delete':
      return deleteEdge(step, on);
    case 'edge.changeType':
      return changeType(step, on);
  }
}

function putObject({ operation, precondition }: PartOf<'object.put'>, { object, nowMs }: Applying) {
  const refusal = unmetPrecondition(object, precondition);
  if (refusal !== null) return refusal;
  const created = object === null || isDead(object);
  return { operation, r: revisionAfter(object, nowMs), created } as const;
}

function putEdge({ operation, rule, toId, timeMs, data }: PartOf<'edge.put'>, { draft }: Applying) {
  const slot = draft.slotOf(rule, toId);
  const created = slot.now?.toId !== toId;
  slot.now = { toId, timeMs, dataBytes: data?.length ?? 0, open: async () => data };
  return { operation, toId, r: slot.r, timeMs, created } as const;
}

function deleteEdge({ operation, rule, toId }: PartOf<'edge.delete'>, { draft }: Applying) {
  const slot = draft.slotOf(rule, toId);
  const deleted = slot.now?.toId === toId;
  if (deleted) slot.now = null;
  return { operation, toId, deleted } as const;
}

function changeType({ operation, rule, toId, to }: PartOf<'edge.changeType'>, { draft }: Applying) {
  const source = draft.slotOf(rule, toId);
  const target = draft.slotOf(to.rule, toId);
  const moving = source.now;
  if (moving?.toId !== toId) return deny('edge_not_found', `There is no ${rule.edgeType} edge to this id.`);
  const tooLarge = tooMuchData(moving, to.dataMaxBytes);
  if (tooLarge !== null) return tooLarge;
  const replaced = target.now?.toId === toId;
  source.now = null;
  target.now = moving;
  const { r } = target;
  return { operation, toId, edgeType: to.rule.edgeType, r, timeMs: moving.timeMs, replaced } as const;
}

/** A refusal when an edge carries more data than the type that it is to get takes. */
function tooMuchData({ dataBytes }: EdgeNow, maxBytes: number): Denial | null {
  if (dataBytes <= maxBytes) return null;
  const message = `The edge's data has ${dataBytes} bytes; its new type takes at most ${maxBytes}.`;
  return deny('content_too_large', message, { details: { maxBytes, bytes: dataBytes } });
}
