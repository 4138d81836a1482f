import { ACTION_OF, type Action, type DecidedOperation } from '#gateway/contract/actions.ts';
import { answer, type DecidedState } from './answer.ts';

/** What somebody asked for, by names that all are or were registered. */
export interface RefusedCall {
  readonly tenant: string;
  readonly principal: string;
  readonly operation: DecidedOperation | 'edge.changeType';
  readonly type: string;
  /** Null of an operation on an object. */
  readonly edgeType: string | null;
}

/** `denied`: permitted before and refused since. `before`: refused before as well. `permitted`: not refused now. */
export type Verdict =
  | { readonly kind: 'denied'; readonly permittedBy: readonly string[] }
  | { readonly kind: 'before' | 'permitted' };

/** What two states of the definitions make of a call. Keys, quotas and what is stored have no part in it. */
export function judgeCall(before: DecidedState, after: DecidedState, call: RefusedCall): Verdict {
  const refused = actionsOf(call).filter((action) => !isPermitted(after, call, action));
  if (refused.length === 0) return { kind: 'permitted' };
  if (!refused.every((action) => isPermitted(before, call, action))) return { kind: 'before' };
  const policies = refused.flatMap((action) => answerTo(before, call, action).policies);
  return { kind: 'denied', permittedBy: [...new Set(policies)] };
}

/** Whether all that the call does is permitted. */
export function isCallPermitted(state: DecidedState, call: RefusedCall): boolean {
  return actionsOf(call).every((action) => isPermitted(state, call, action));
}

/** What the call is refused about: its edge type, or its object type. */
export function refusedTypeOf({ type, edgeType }: Pick<RefusedCall, 'type' | 'edgeType'>): string {
  return edgeType ?? type;
}

/** A change of an edge's type deletes of one type and writes of another; its refusal names one, and not for which. */
function actionsOf({ operation }: RefusedCall): readonly Action[] {
  return operation === 'edge.changeType' ? ['edge.delete', 'edge.write'] : [ACTION_OF[operation]];
}

function isPermitted(state: DecidedState, call: RefusedCall, action: Action): boolean {
  if (!answerTo(state, call, action).isPermitted) return false;
  const from = state.catalog.objectType.get(call.type);
  return from !== undefined && from.document.lifecycle?.state !== 'deprecated-error';
}

function answerTo(state: DecidedState, call: RefusedCall, action: Action) {
  return answer(state, { tenant: call.tenant, principal: call.principal, type: refusedTypeOf(call) }, action);
}
