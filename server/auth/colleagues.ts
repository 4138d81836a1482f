import 'server-only';
import type { Actor } from '#server/context.ts';
import { type ReviewKind, ReviewMode, type Role } from '#server/contract/people.ts';
import type { Reader } from '#server/db/client.ts';
import { effectiveRoles } from './rights.ts';

/** People who could review are looked for among at most so many. */
const MAX_PEOPLE = 500;

/** A person with the rights of this moment. */
export type Colleague = Pick<Actor, 'id' | 'name' | 'roles' | 'teams'>;

/** Everybody who holds one of the roles, by name. Two queries. */
export async function peopleWithRoles(
  db: Reader,
  roles: readonly Role[],
  adminGroup: string | undefined,
): Promise<readonly Colleague[]> {
  const mappings = await db.roleMapping.findMany();
  const groups = mappings.filter(({ role }) => roles.some((one) => one === role)).map(({ group }) => group);
  if (adminGroup !== undefined) groups.push(adminGroup);
  const users = await db.user.findMany({
    where: { OR: [{ roles: { hasSome: [...roles] } }, { groups: { hasSome: groups } }] },
    include: { memberships: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: MAX_PEOPLE,
  });
  return users.map((user) => ({
    id: user.id,
    name: user.name,
    roles: effectiveRoles({ given: user.roles, groups: user.groups, mappings, adminGroup }),
    teams: user.memberships.map(({ team }) => team),
  }));
}

/** How the definitions of one team are reviewed, by kind. */
export type ReviewModes = Readonly<Record<ReviewKind, ReviewMode>>;

/** How each team's definitions are reviewed. */
export async function readReviewModes(db: Reader): Promise<ReadonlyMap<string, ReviewModes>> {
  const teams = await db.team.findMany({
    select: { name: true, reviewMode: true, accessMode: true, quotaMode: true },
  });
  return new Map(teams.map((team) => [team.name, reviewModesOf(team)]));
}

/** The columns of a team as its three modes. */
export function reviewModesOf(team: { reviewMode: string; accessMode: string; quotaMode: string }): ReviewModes {
  return {
    types: ReviewMode.parse(team.reviewMode),
    access: ReviewMode.parse(team.accessMode),
    quotas: ReviewMode.parse(team.quotaMode),
  };
}
