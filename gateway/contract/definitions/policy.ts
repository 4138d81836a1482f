import { z } from 'zod';
import { ACTIONS } from '../actions.ts';
import { EdgeTypeName, ObjectTypeName, PrincipalName, TeamName } from '../ids.ts';

/** One test of a policy: what must come out when the principal asks in its own tenant, under all policies. */
export const PolicyTest = z.strictObject({
  principal: PrincipalName,
  action: z.enum(ACTIONS),
  resource: z.union([ObjectTypeName, EdgeTypeName]),
  expect: z.enum(['allow', 'deny']),
});
export type PolicyTest = z.infer<typeof PolicyTest>;

export const MAX_POLICY_TESTS = 50;

/** The document of a policy: one Cedar policy text with a description (https://docs.cedarpolicy.com). */
export const PolicyDocument = z.strictObject({
  ownerTeam: TeamName,
  description: z.string().min(1, 'Say in a sentence what it allows or forbids.').max(500),
  cedar: z.string().min(1).max(20_000),
  /** Run by every check of any change. */
  tests: z.array(PolicyTest).max(MAX_POLICY_TESTS).optional(),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;
