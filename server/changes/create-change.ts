import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { canWriteChanges } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import type { CreateChange, CreatedChange } from '#server/contract/changes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { contentHashOf } from '#server/publication/content-hash.ts';

/**
 * POST /api/changes: opens an empty draft. Engineers, security, operators and admins may (`not_permitted`).
 */
export async function createChange(
  ctx: Ctx,
  input: z.infer<typeof CreateChange>,
): Promise<z.infer<typeof CreatedChange>> {
  const { actor } = ctx;
  if (!canWriteChanges(actor)) {
    throw new ServerError('not_permitted', {
      publicMessage:
        'Changes are written by engineers, security, operators and admins. An admin gives roles in Settings.',
    });
  }
  const now = new Date(ctx.nowMs);
  return withTransaction(ctx.db, async (tx) => {
    const { number } = await tx.change.create({
      data: {
        ...input,
        state: 'draft',
        authorId: actor.id,
        authorName: actor.name,
        createdAt: now,
        updatedAt: now,
        contentHash: contentHashOf([]),
      },
      select: { number: true },
    });
    await appendAudit(tx, ctx, {
      did: 'opened',
      what: `∆${number} ${input.title}`,
      href: `/changes/${number}`,
      ...(input.reason === '' ? {} : { because: input.reason }),
    });
    await notify(tx, 'changes', 'shell');
    return { number };
  });
}
