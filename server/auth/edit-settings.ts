import 'server-only';
import { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import type { Ctx } from '#server/context.ts';
import { SetReviewMode, SetRoleMappings, SetRoles } from '#server/contract/people.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { hasAnyRole } from './rights.ts';

export const SetReviewModeInput = SetReviewMode.extend({ team: z.string() });
export const SetRolesInput = SetRoles.extend({ id: z.string() });
export const SetRoleMappingsInput = SetRoleMappings;

const COLUMN = { types: 'reviewMode', access: 'accessMode', quotas: 'quotaMode' } as const;

/**
 * PUT /api/settings/teams/{team}/review-mode: how changes of one kind of the team's definitions are reviewed from now on.
 * Admins only
 * (`not_permitted`); `not_found` for a team that does not exist.
 */
export function setReviewMode(ctx: Ctx, input: z.infer<typeof SetReviewModeInput>): Promise<object> {
  return asAdmin(ctx, async (tx) => {
    const before = await tx.team.findUnique({ where: { name: input.team } });
    if (before === null) throw missing(`There is no team ${input.team}.`);
    const column = COLUMN[input.kind];
    await tx.team.update({ where: { name: input.team }, data: { [column]: input.reviewMode } });
    await appendAudit(tx, ctx, {
      did: 'set the review mode',
      what: `of ${input.kind} of team ${input.team} to ${input.reviewMode}`,
      href: '/settings',
      because: input.reason,
      before: { [column]: before[column] },
      after: { [column]: input.reviewMode },
    });
    await notify(tx, 'changes', 'inbox');
  });
}

/**
 * PUT /api/settings/people/{id}/roles: the roles given by hand; those by a group stay. Takes effect at the person's next
 * request. Admins only; the last admin by hand cannot give the role up (`wrong_state`).
 */
export function setRoles(ctx: Ctx, input: z.infer<typeof SetRolesInput>): Promise<object> {
  return asAdmin(ctx, async (tx) => {
    const person = await tx.user.findUnique({ where: { id: input.id } });
    if (person === null) throw missing('There is no such person.');
    const roles = [...new Set(input.roles)].sort();
    await tx.user.update({ where: { id: input.id }, data: { roles } });
    const isReachable =
      ctx.env.adminGroup !== undefined || (await tx.user.count({ where: { roles: { has: 'admin' } } })) > 0;
    if (!isReachable) {
      throw new ServerError('wrong_state', {
        publicMessage: `${person.name} is the only admin. Make somebody else an admin first.`,
      });
    }
    await appendAudit(tx, ctx, {
      did: 'set the roles',
      what: `of ${person.name} to ${roles.join(', ') || 'none'}`,
      href: '/settings',
      because: input.reason,
      before: { roles: person.roles },
      after: { roles },
    });
    await notify(tx, 'inbox', 'changes');
  });
}

/** PUT /api/settings/role-mappings: replaces all mappings of an issuer's groups to roles. Admins only. */
export function setRoleMappings(ctx: Ctx, input: z.infer<typeof SetRoleMappingsInput>): Promise<object> {
  return asAdmin(ctx, async (tx) => {
    const before = await tx.roleMapping.findMany({ orderBy: [{ group: 'asc' }, { role: 'asc' }] });
    await tx.roleMapping.deleteMany();
    await tx.roleMapping.createMany({ data: input.mappings, skipDuplicates: true });
    await appendAudit(tx, ctx, {
      did: 'set the role mappings',
      what: `${input.mappings.length} of them`,
      href: '/settings',
      before: { mappings: before },
      after: { mappings: input.mappings },
    });
  });
}

async function asAdmin(ctx: Ctx, work: (tx: Tx) => Promise<void>): Promise<object> {
  if (!hasAnyRole(ctx.actor, 'admin')) {
    throw new ServerError('not_permitted', { publicMessage: 'Settings are changed by an admin.' });
  }
  await withTransaction(ctx.db, async (tx) => {
    await work(tx);
    await notify(tx, 'settings', 'shell');
  });
  return {};
}

function missing(publicMessage: string): ServerError {
  return new ServerError('not_found', { publicMessage });
}
