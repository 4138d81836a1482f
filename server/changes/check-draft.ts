import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import { CheckDraft, type CheckResult } from '#server/contract/changes.ts';
import { checkEdits } from './check-change.ts';
import { ChangePath } from './read-change.ts';

export const CheckDraftInput = CheckDraft.extend(ChangePath.shape);

/**
 * POST /api/changes/{number}/check: findings and effects of the edits given, as if they were the whole change, without
 * saving anything. Definitions are readable by everybody signed in, so anybody may ask.
 */
export async function checkDraft(
  ctx: Ctx,
  { edits }: z.infer<typeof CheckDraftInput>,
): Promise<z.infer<typeof CheckResult>> {
  return checkEdits(ctx.db, edits, ctx);
}
