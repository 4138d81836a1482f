import { ACTION_OF, DecidedOperation } from '#gateway/contract/actions.ts';
import { PolicyTest } from '#gateway/contract/definitions/policy.ts';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';

type Decided = Pick<RequestRecord, 'principal' | 'operation' | 'type' | 'edgeType' | 'code' | 'policy'>;

/**
 * What a recorded request says as a test: its principal, what it wanted, and what policy answered, whatever became of it
 * afterwards. The reason in words when policy decided nothing about it.
 */
export function testOfRequest(record: Decided): PolicyTest | string {
  const { principal, code, policy } = record;
  const operation = DecidedOperation.safeParse(record.operation);
  if (principal === null) return 'Its caller is unknown, so no policy decided.';
  if (!operation.success) return 'Policy decides about single operations, not about this.';
  if (policy === null && code !== 'forbidden') return 'It ended before a policy decided.';
  const action = ACTION_OF[operation.data];
  const resource = action.startsWith('edge.') ? record.edgeType : record.type;
  const expect = code === 'forbidden' ? 'deny' : 'allow';
  return PolicyTest.safeParse({ principal, action, resource, expect }).data ?? 'It names no type that could exist.';
}
