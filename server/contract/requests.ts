import { z } from 'zod';
import { Outcome } from '#gateway/contract/errors.ts';
import { Operation, RequestRecord } from '#gateway/contract/telemetry.ts';
import { PageQuery, page } from './paging.ts';

/** GET /api/requests: kept requests (refusals, failures, slow ones, a bounded sample), newest first. */
export const RequestQuery = PageQuery.extend({
  tenant: z.string().max(48).optional(),
  outcome: Outcome.optional(),
  operation: Operation.optional(),
  gateway: z.string().max(63).optional(),
  type: z.string().max(48).optional(),
  principal: z.string().max(48).optional(),
  code: z.string().max(40).optional(),
  release: z.coerce.number().int().min(1).optional(),
  fromMs: z.coerce.number().int().min(0).optional(),
  toMs: z.coerce.number().int().min(0).optional(),
  /** Duration, microseconds: at least `fromUs`, less than `toUs`. */
  fromUs: z.coerce.number().int().min(0).optional(),
  toUs: z.coerce.number().int().min(0).optional(),
});
/**
 * The key that a caller named who was not let in, as far as it exists: whoever knows its id can name it, so it says whose
 * client it probably is and never who it was.
 */
export const NamedKey = z.object({
  id: z.string(),
  principal: z.string(),
  revokedAtMs: z.int().nullable(),
  expiresAtMs: z.int().nullable(),
});
export type NamedKey = z.infer<typeof NamedKey>;

export const ListedRequest = RequestRecord.extend({ namedKey: NamedKey.nullable() });
export type ListedRequest = z.infer<typeof ListedRequest>;
export const RequestPage = page(ListedRequest);

/** GET /api/requests/{id} */
export const RequestDetail = z.object({
  record: ListedRequest,
  /** Whose side and what to do, when it was refused or failed. */
  advice: z.string().nullable(),
  side: z.string().nullable(),
});
export type RequestDetail = z.infer<typeof RequestDetail>;
