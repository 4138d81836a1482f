import { z } from 'zod';
import { Outcome } from '#gateway/contract/errors.ts';
import { RequestRecord } from '#gateway/contract/telemetry.ts';
import { PageQuery, page } from './paging.ts';

/** GET /api/requests: kept requests (refusals, failures, slow ones, a bounded sample), newest first. */
export const RequestQuery = PageQuery.extend({
  tenant: z.string().max(48).optional(),
  outcome: Outcome.optional(),
  type: z.string().max(48).optional(),
  principal: z.string().max(48).optional(),
  code: z.string().max(40).optional(),
  release: z.coerce.number().int().min(1).optional(),
  fromMs: z.coerce.number().int().min(0).optional(),
  toMs: z.coerce.number().int().min(0).optional(),
});
export const RequestPage = page(RequestRecord);

/** GET /api/requests/{id} */
export const RequestDetail = z.object({
  record: RequestRecord,
  /** Whose side and what to do, when it was refused or failed. */
  advice: z.string().nullable(),
  side: z.string().nullable(),
});
export type RequestDetail = z.infer<typeof RequestDetail>;
