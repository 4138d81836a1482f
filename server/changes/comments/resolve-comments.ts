import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { actOnChange, require } from '#server/changes/act-on-change.ts';
import { mayComment } from '#server/changes/permissions.ts';
import { ChangePath } from '#server/changes/read-change.ts';
import { type Ctx, personOf } from '#server/context.ts';
import { ResolveComments } from '#server/contract/changes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { placeInWords, threadSubject } from './add-comment.ts';

export const ResolveCommentsInput = ResolveComments.extend(ChangePath.shape);

/**
 * POST /api/changes/{number}/comments/resolve: ends the thread of a field and closes its items in every inbox. Whoever may
 * comment may. A later remark begins the thread anew. Refuses with `not_found` when nothing is open there.
 */
export function resolveComments(ctx: Ctx, input: z.infer<typeof ResolveCommentsInput>): Promise<object> {
  return actOnChange(ctx, input.number, async ({ tx, standing }) => {
    require(mayComment(standing, ctx.actor));
    const { id, name } = personOf(ctx.actor);
    const now = new Date(ctx.nowMs);
    const { count } = await tx.changeComment.updateMany({
      where: { changeNumber: input.number, kind: input.kind, name: input.name, path: input.path, resolvedAt: null },
      data: { resolvedAt: now, resolvedById: id, resolvedByName: name },
    });
    if (count === 0) {
      throw new ServerError('not_found', { publicMessage: `No remark on ${placeInWords(input)} is open.` });
    }
    await tx.inboxItem.updateMany({
      where: { subject: threadSubject(input), closedAt: null },
      data: { closedAt: now, closedById: id, closedByName: name },
    });
    await appendAudit(tx, ctx, {
      did: 'resolved',
      what: `the remarks on ${placeInWords(input)} in ∆${input.number} ${standing.change.title}`,
      href: `/changes/${input.number}`,
      kind: input.kind,
      name: input.name,
    });
    return {};
  });
}
