import { z } from 'zod';

/** What a change does, in one sentence, e.g. *Services of team chat may read and write Reaction.* */
export const Effect = z.object({
  kind: z.enum(['types', 'access', 'quota', 'keys']),
  text: z.string(),
  tone: z.enum(['widens', 'narrows', 'neutral']),
});
export type Effect = z.infer<typeof Effect>;
