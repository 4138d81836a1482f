import { z } from 'zod';
import { ACTOR_KINDS } from './definitions/principal.ts';
import { ErrorCode } from './errors.ts';
import { Operation } from './telemetry.ts';

/**
 * One row of the data path's audit. A write appends its `intent` before the store call and its `outcome`, with the same
 * request id, before the reply; an intent without outcome shows as unknown. Refusals and reads are one row.
 * Equal refusals beyond the rate fold into one row per 10 s with `count` and the first sample.
 */
export const AuditRow = z.object({
  seq: z.int().min(1),
  atMs: z.int(),
  phase: z.enum(['intent', 'outcome', 'refusal', 'read']),
  requestId: z.string(),
  release: z.int().nullable(),
  tenant: z.string().nullable(),
  principal: z.string().nullable(),
  actorKind: z.enum(ACTOR_KINDS).nullable(),
  keyId: z.string().nullable(),
  operation: Operation.nullable(),
  type: z.string().nullable(),
  objectId: z.string().nullable(),
  edgeType: z.string().nullable(),
  toId: z.string().nullable(),
  code: ErrorCode.nullable(),
  status: z.int().nullable(),
  policy: z.string().nullable(),
  /** Version written, when one was. */
  version: z.string().nullable(),
  count: z.int().min(1),
});
export type AuditRow = z.infer<typeof AuditRow>;

/**
 * POST `/api/gateway/audit`: rows of one stream (one worker, one start). Inserted exactly once: the console advances the
 * stream's `nextSeq` in the same transaction only where it equals `from`.
 */
export const AuditShipment = z.object({
  stream: z.string().max(200),
  from: z.int().min(1),
  rows: z.array(AuditRow).min(1).max(1_000),
});
export type AuditShipment = z.infer<typeof AuditShipment>;

/** Reply, also to a repeated or gapped shipment (then nothing was inserted): where the stream stands. */
export const AuditShipmentReply = z.object({ nextSeq: z.int().min(1) });
