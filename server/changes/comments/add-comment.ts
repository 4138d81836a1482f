import 'server-only';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { actOnChange, type Locked, require } from '#server/changes/act-on-change.ts';
import { mayComment } from '#server/changes/permissions.ts';
import { ChangePath } from '#server/changes/read-change.ts';
import type { Ctx } from '#server/context.ts';
import { AddComment } from '#server/contract/changes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { mentionedIn } from './mentions.ts';

export const AddCommentInput = AddComment.extend(ChangePath.shape);
type Input = z.infer<typeof AddCommentInput>;

/** A long remark is quoted in the inbox by its beginning. */
const QUOTED = 140;

/**
 * POST /api/changes/{number}/comments: a remark on one field of one edit. It goes into the inbox of the author, of whoever
 * wrote in the thread before, and of whoever is named with `@`. Refuses with `not_found` for a definition that the change
 * does not edit, `wrong_state` once it is closed, `not_permitted` for who writes no changes.
 */
export function addComment(ctx: Ctx, input: Input): Promise<object> {
  return actOnChange(ctx, input.number, async (locked) => {
    const { tx, standing } = locked;
    require(mayComment(standing, ctx.actor));
    const { change } = standing;
    if (!change.edits.some(({ kind, name }) => kind === input.kind && name === input.name)) {
      throw new ServerError('not_found', { publicMessage: `∆${input.number} has no edit of ${input.name}.` });
    }
    const thread = { changeNumber: input.number, kind: input.kind, name: input.name, path: input.path };
    const earlier = await tx.changeComment.findMany({ where: thread, select: { authorId: true } });
    await tx.changeComment.create({
      data: {
        id: randomUUID(),
        ...thread,
        text: input.text,
        at: new Date(ctx.nowMs),
        authorId: ctx.actor.id,
        authorName: ctx.actor.name,
      },
    });
    await tellOthers(locked, ctx, { input, earlier: earlier.map(({ authorId }) => authorId) });
    await appendAudit(tx, ctx, {
      did: 'commented',
      what: `∆${input.number} ${change.title}: ${placeInWords(input)}`,
      href: `/changes/${input.number}`,
      kind: input.kind,
      name: input.name,
      because: input.text,
    });
    return {};
  });
}

/** What a thread's items in the inbox are about. */
export function threadSubject(thread: Pick<Input, 'number' | 'kind' | 'name' | 'path'>): string {
  return `comment:${thread.number}:${thread.kind}/${thread.name}/${thread.path}`;
}

/** *Reaction.maxBytes*, or the name alone for a remark on the whole. */
export function placeInWords({ name, path }: Pick<Input, 'name' | 'path'>): string {
  return path === '' ? name : `${name}.${path}`;
}

async function tellOthers(
  { tx, standing, reviewers }: Locked,
  ctx: Ctx,
  { input, earlier }: { readonly input: Input; readonly earlier: readonly string[] },
): Promise<void> {
  const named = mentionedIn(input.text, reviewers.people).map(({ id }) => id);
  const readers = new Set([standing.author.id, ...earlier, ...named]);
  readers.delete(ctx.actor.id);
  const subject = threadSubject(input);
  const quote = input.text.length > QUOTED ? `${input.text.slice(0, QUOTED - 1)}…` : input.text;
  const text = `∆${input.number} ${standing.change.title} · ${ctx.actor.name} on ${placeInWords(input)}: “${quote}”`;
  // One item for each reader and thread: a newer remark takes the place of the older.
  await tx.inboxItem.deleteMany({ where: { subject, userId: { in: [...readers] }, closedAt: null } });
  await tx.inboxItem.createMany({
    data: [...readers].map((userId) => ({
      id: randomUUID(),
      kind: 'change',
      userId,
      text,
      href: `/changes/${input.number}?edit=${encodeURIComponent(`${input.kind}/${input.name}`)}&tab=form`,
      subject,
      closable: true,
      at: new Date(ctx.nowMs),
    })),
  });
}
