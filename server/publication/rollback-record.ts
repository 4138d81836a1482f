import { z } from 'zod';
import { RollbackOf } from '#server/contract/rollouts.ts';

/** What a rollback does beside its edits, decided when it was looked at; stored with its release, and with its change. */
export const RollbackRecord = RollbackOf.extend({
  /** Releases that are undone by it. */
  undoes: z.array(z.int()),
  /** Releases that were undone by one of those and hold again. */
  redoes: z.array(z.int()),
});
export type RollbackRecord = z.infer<typeof RollbackRecord>;
