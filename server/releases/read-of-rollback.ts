import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { ReleasePath } from './read-release.ts';

export const RollbackReadInput = ReleasePath;

/**
 * POST /api/releases/{number}/rollback/read: the person knows of the rollback; their pages tell of it no longer, others'
 * still do. It says nothing about the rollback itself, so anybody may, nothing is audited, and twice is once. Refuses with
 * `not_found` when the release is none or no rollback.
 */
export async function readOfRollback(ctx: Ctx, { number }: z.infer<typeof RollbackReadInput>): Promise<object> {
  const release = await ctx.db.release.findUnique({ where: { number }, select: { rollback: true } });
  if (release === null || release.rollback === null) {
    throw new ServerError('not_found', { publicMessage: `r${number} is not a rollback.` });
  }
  const row = { releaseNumber: number, userId: ctx.actor.id };
  await ctx.db.rollbackRead.createMany({ data: { ...row, at: new Date(ctx.nowMs) }, skipDuplicates: true });
  return {};
}
