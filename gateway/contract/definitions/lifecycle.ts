import { z } from 'zod';

export const LIFECYCLE_STATES = ['deprecated-warn', 'deprecated-error'] as const;

/**
 * How far a type is on its way out; a document without it is active. *deprecated-warn* serves every request and says so in
 * the reply's `Habitat-Deprecated`; *deprecated-error* refuses every request as `type_deprecated`. Dates are UTC days.
 */
export const Lifecycle = z.strictObject({
  state: z.enum(LIFECYCLE_STATES),
  since: z.iso.date('A day is written 2026-12-31.'),
  /** The day on which it is meant to go. */
  sunset: z.iso.date('A day is written 2026-12-31.').optional(),
  /** What to use instead, in words. */
  replacement: z.string().trim().min(1).max(200).optional(),
});
export type Lifecycle = z.infer<typeof Lifecycle>;
