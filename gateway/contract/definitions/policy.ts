import { z } from 'zod';
import { TeamName } from '../ids.ts';

/** The document of a policy: one Cedar policy text with a description (https://docs.cedarpolicy.com). */
export const PolicyDocument = z.strictObject({
  ownerTeam: TeamName,
  description: z.string().min(1, 'Say in a sentence what it allows or forbids.').max(500),
  cedar: z.string().min(1).max(20_000),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;
