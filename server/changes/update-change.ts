import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import { UpdateChange } from '#server/contract/changes.ts';
import { actOnChange, require } from './act-on-change.ts';
import { mayEditNow } from './permissions.ts';
import { ChangePath } from './read-change.ts';

export const UpdateChangeInput = UpdateChange.extend(ChangePath.shape);

/** PATCH /api/changes/{number}: title, reason, link. They are not what reviewers approve, so no review is voided. */
export function updateChange(ctx: Ctx, input: z.infer<typeof UpdateChangeInput>): Promise<object> {
  const { number, ...given } = input;
  return actOnChange(ctx, number, async ({ tx, standing, reviewers }) => {
    require(mayEditNow(standing, ctx.actor, reviewers));
    const { title, reason, link } = standing.change;
    const before = { title, reason, link };
    const after = { ...before, ...definedOnly(given) };
    await tx.change.update({ where: { number }, data: { ...after, updatedAt: new Date(ctx.nowMs) } });
    await appendAudit(tx, ctx, {
      did: 'renamed',
      what: `∆${number} ${after.title}`,
      href: `/changes/${number}`,
      before,
      after,
    });
    return {};
  });
}

function definedOnly<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
