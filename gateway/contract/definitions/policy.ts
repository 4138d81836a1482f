import { z } from 'zod';
import { ACTIONS } from '../actions.ts';
import { EdgeTypeName, ObjectTypeName, PrincipalName, TeamName } from '../ids.ts';

/** The document of a policy: one Cedar policy text with a description (https://docs.cedarpolicy.com). */
export const PolicyDocument = z.strictObject({
  ownerTeam: TeamName,
  description: z.string().min(1, 'Say in a sentence what it allows or forbids.').max(500),
  cedar: z.string().min(1).max(20_000),
  /**
   * What must come out with it, run by every check of any change: the principal asks in its own tenant, under all policies.
   */
  tests: z
    .array(
      z.strictObject({
        principal: PrincipalName,
        action: z.enum(ACTIONS),
        resource: z.union([ObjectTypeName, EdgeTypeName]),
        expect: z.enum(['allow', 'deny']),
      }),
    )
    .max(50)
    .optional(),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;
