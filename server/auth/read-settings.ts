import 'server-only';
import { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import { Role, type Settings } from '#server/contract/people.ts';
import { reviewModesOf } from './colleagues.ts';
import { effectiveRoles, hasAnyRole } from './rights.ts';

/** Most people that one answer names. */
const MAX_PEOPLE = 1_000;

/** Input of a verb that takes none. */
export const NoInput = z.object({});

/** GET /api/settings: people with their roles of this moment, teams, mappings. Readable by everybody signed in. */
export async function readSettings(ctx: Ctx): Promise<Settings> {
  const { db, env, actor } = ctx;
  const [users, teams, mappings] = await Promise.all([
    db.user.findMany({ include: { memberships: true }, orderBy: [{ name: 'asc' }, { id: 'asc' }], take: MAX_PEOPLE }),
    db.team.findMany({ include: { _count: { select: { memberships: true } } }, orderBy: { name: 'asc' } }),
    db.roleMapping.findMany({ orderBy: [{ group: 'asc' }, { role: 'asc' }] }),
  ]);
  return {
    people: users.map(({ id, name, email, roles, groups, memberships }) => ({
      id,
      name,
      email,
      roles: [...effectiveRoles({ given: roles, groups, mappings, adminGroup: env.adminGroup })],
      teams: memberships.map(({ team }) => team).sort(),
    })),
    teams: teams.map((team) => ({
      name: team.name,
      displayName: team.displayName,
      reviewModes: reviewModesOf(team),
      members: team._count.memberships,
    })),
    roleMappings: mappings.map(({ group, role }) => ({ group, role: Role.parse(role) })),
    canEdit: hasAnyRole(actor, 'admin'),
  };
}
