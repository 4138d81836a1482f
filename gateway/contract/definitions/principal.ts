import { z } from 'zod';
import { TeamName, TenantName } from '../ids.ts';

export const ACTOR_KINDS = ['service', 'user', 'agent', 'operator'] as const;

/** The document of a principal: an identity that calls the gateway. Its keys are acts on it, not part of this. */
export const PrincipalDocument = z.strictObject({
  ownerTeam: TeamName,
  description: z.string().min(1, 'Say in a sentence who calls with it.').max(500),
  tenant: TenantName,
  actorKind: z.enum(ACTOR_KINDS),
  groups: z
    .array(z.string().regex(/^[a-z][a-z0-9-]{0,47}$/, 'A group has lower-case letters, digits and hyphens.'))
    .max(50),
  /** A disabled principal is refused as `unauthenticated`. */
  disabled: z.boolean(),
});
export type PrincipalDocument = z.infer<typeof PrincipalDocument>;
