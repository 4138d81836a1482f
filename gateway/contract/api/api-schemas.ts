import { z } from 'zod';
import {
  BatchOperation,
  BatchResults,
  CommitOperation,
  CommitResults,
  Edge,
  EdgeChangeBody,
  EdgeCount,
  EdgeDeleted,
  EdgeMoved,
  EdgePage,
  EdgePutBody,
  EdgesFound,
  EdgeWritten,
  MAX_BATCH_OPERATIONS,
  MAX_COMMIT_ITEMS,
  ObjectDeleted,
  ObjectWritten,
} from '../data-api.ts';
import { ErrorBody } from '../errors.ts';

/** Bodies by the name that the description gives them. */
export const API_SCHEMAS = {
  BatchBody: z.strictObject({ operations: z.array(BatchOperation).min(1).max(MAX_BATCH_OPERATIONS) }),
  BatchResults: BatchResults.extend({
    results: z.array(BatchResults.shape.results.element.extend({ error: ErrorBody.shape.error.optional() })),
  }),
  CommitBody: z.strictObject({ operations: z.array(CommitOperation).min(1).max(MAX_COMMIT_ITEMS) }),
  CommitResults,
  Edge,
  EdgeChangeBody,
  EdgeCount,
  EdgeDeleted,
  EdgeMoved,
  EdgePage,
  EdgePutBody,
  EdgesFound,
  EdgeWritten,
  Error: ErrorBody,
  ObjectDeleted,
  ObjectWritten,
} as const satisfies Record<string, z.ZodType>;

/** What clients send: a member that is not named is refused. Replies may get members that a client does not know. */
export const BODIES_SENT: readonly string[] = ['BatchBody', 'CommitBody', 'EdgeChangeBody', 'EdgePutBody'];
