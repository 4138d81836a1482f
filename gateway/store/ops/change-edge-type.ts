import { isDenial } from '#gateway/pipeline/denial.ts';
import type { CommitPart, StorePort } from '#gateway/pipeline/store-port.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { commitParts } from './commit-parts.ts';
import { forwardOf } from './edge-route.ts';

/**
 * Moves an edge to another type with the same ends, a commit of one part: it is taken from one type and its count and given,
 * time and data unchanged, to the other; both inverses follow (T4). An edge of the other type to the same target is
 * overwritten, as a put would. Refuses with `edge_not_found`, `content_too_large`, `limit_exceeded`, `delete_in_progress`.
 */
export function createChangeEdgeType(parts: StoreParts): StorePort['changeEdgeType'] {
  return async (named, to, call) => {
    const { from: key, rule, toId } = forwardOf(named);
    const target = forwardOf({ ...named, rule: to.rule }).rule;
    const step: CommitPart = { operation: 'edge.changeType', rule, toId, to: { ...to, rule: target } };
    const answer = await commitParts(parts, { key, steps: [step] }, call);
    if (isDenial(answer)) return answer;
    const [moved] = answer.value;
    if (moved?.operation !== 'edge.changeType') throw new Error('A change of an edge type came out as something else.');
    return { ...answer, value: moved };
  };
}
