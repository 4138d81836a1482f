import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import { EmptyBody } from '#server/contract/changes.ts';
import { readStoredChange } from '#server/db/changes.ts';
import { startChecks } from './checks/settle-checks.ts';
import { ChangePath } from './read-change.ts';

export const BeginChecksInput = EmptyBody.extend(ChangePath.shape);

/**
 * POST /api/changes/{number}/checks: sees to it that the slow checks of a change have results for its content of now, and
 * does not wait for them: they go on when the page is left. What is there and fresh is not judged again.
 */
export async function beginChecks(ctx: Ctx, { number }: z.infer<typeof BeginChecksInput>): Promise<object> {
  await readStoredChange(ctx.db, number);
  startChecks(ctx, number).catch((error: unknown) => {
    // Nobody waits for it any more; the checks say of themselves that they have no result.
    console.error(`the checks of ∆${number} ended early:`, error);
  });
  return {};
}
