import 'server-only';
import { RequestRecord } from '#gateway/contract/telemetry.ts';
import type { RequestRow } from '#server/db/rows.ts';

/** A stored request in the shape in which the gateway sent it. */
export function recordOf({ at, ...row }: RequestRow): RequestRecord {
  return RequestRecord.parse({ ...row, atMs: at.getTime() });
}
