import 'server-only';
import { z } from 'zod';
import { ERRORS } from '#gateway/contract/errors.ts';
import type { Ctx } from '#server/context.ts';
import type { RequestDetail } from '#server/contract/requests.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { noteFact } from '#server/db/facts.ts';
import { withNamedKeys } from './named-keys.ts';
import { recordOf } from './request-rows.ts';
import { requireTraffic } from './traffic-of.ts';

/** The path parameter. */
export const RequestParam = z.object({ id: z.string().max(100) });

/**
 * GET /api/requests/{id}. A request of a tenant needs the right to its traffic. One that no tenant can be charged with
 * (a wrong key) is shown to whoever has its id: the caller was given it, and nobody else can guess it.
 * Refuses with `not_found` (also: not kept) and `not_permitted`.
 */
export async function readRequest(ctx: Ctx, { id }: z.infer<typeof RequestParam>): Promise<RequestDetail> {
  const row = await ctx.db.requestRecord.findUnique({ where: { id } });
  if (row === null) {
    throw new ServerError('not_found', {
      publicMessage: `No request ${id} is kept. Refused, failed and slow requests are, and a sample of the others, for 7 days.`,
    });
  }
  const [record] = await withNamedKeys(ctx.db, [recordOf(row)]);
  if (record === undefined) throw new Error('One record came back as none.');
  if (record.tenant !== null) await requireTraffic(ctx, record.tenant);
  await noteFact(ctx.db, ctx.actor.id, 'request explained', ctx.nowMs);
  if (record.code !== null) await noteFact(ctx.db, ctx.actor.id, 'refusal explained', ctx.nowMs);
  const entry = record.code === null ? null : ERRORS[record.code];
  return { record, advice: entry?.advice ?? null, side: entry?.side ?? null };
}
