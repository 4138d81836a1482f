import 'server-only';
import { z } from 'zod';

/** States as stored. *Rolling out* and *live* of the contract are read from the release of a published one. */
export const StoredState = z.enum([
  'draft',
  'in review',
  'needs work',
  'approved',
  'published',
  'outdated',
  'abandoned',
  'undone',
]);
export type StoredState = z.infer<typeof StoredState>;

/** A change that may still be edited. */
export function isOpen(state: StoredState): boolean {
  return state !== 'published' && state !== 'abandoned' && state !== 'undone';
}
