import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import type { CheckDefinitions } from '#server/contract/as-code.ts';
import type { CheckResult } from '#server/contract/changes.ts';
import { checkEdits } from './check-change.ts';

/**
 * POST /api/definitions/check: findings and effects of edits against what is published, without a change and without
 * saving anything. Definitions are readable by everybody, so anybody may ask.
 */
export function checkDefinitions(
  ctx: Ctx,
  { edits }: z.infer<typeof CheckDefinitions>,
): Promise<z.infer<typeof CheckResult>> {
  return checkEdits(ctx.db, edits, ctx);
}
