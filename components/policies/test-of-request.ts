import { ACTION_OF } from '#gateway/contract/actions.ts';
import { PolicyTest } from '#gateway/contract/definitions/policy.ts';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';

type Decided = Pick<RequestRecord, 'principal' | 'operation' | 'type' | 'edgeType' | 'code' | 'policy'>;

/**
 * What a recorded request says as a test: its principal, what it wanted, and what policy answered, whatever became of it
 * afterwards. The reason in words when policy decided nothing about it.
 */
export function testOfRequest(record: Decided): PolicyTest | string {
  const { principal, operation, code, policy } = record;
  if (principal === null) return 'Its caller is unknown, so no policy decided.';
  if (operation === null || operation === 'batch') return 'Policy decides about single operations, not about this.';
  if (policy === null && code !== 'forbidden') return 'It ended before a policy decided.';
  const action = ACTION_OF[operation];
  const resource = action.startsWith('edge.') ? record.edgeType : record.type;
  const expect = code === 'forbidden' ? 'deny' : 'allow';
  return PolicyTest.safeParse({ principal, action, resource, expect }).data ?? 'It names no type that could exist.';
}
