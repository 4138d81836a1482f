import type { Actor } from '#server/context.ts';
import { ROLES, type Role } from '#server/contract/people.ts';

/** Roles that see the traffic of every tenant. */
const TRAFFIC_ROLES: readonly Role[] = ['operator', 'security', 'auditor', 'admin'];
/** Roles that may write changes. */
const WRITING_ROLES: readonly Role[] = ['engineer', 'security', 'operator', 'admin'];

type Rights = Pick<Actor, 'roles' | 'teams'>;

export function hasAnyRole(actor: Rights, ...roles: readonly Role[]): boolean {
  return actor.roles.some((role) => roles.includes(role));
}

export function isMember(actor: Rights, team: string): boolean {
  return actor.teams.includes(team);
}

/** An engineer of the team, the people who own its definitions. */
export function isEngineerOf(actor: Rights, team: string): boolean {
  return hasAnyRole(actor, 'engineer') && isMember(actor, team);
}

/** May open changes and edit in them. */
export function canWriteChanges(actor: Rights): boolean {
  return hasAnyRole(actor, ...WRITING_ROLES);
}

/**
 * May see traffic, requests, quotas' use, keys and data-path audit of a tenant owned by `ownerTeam`.
 */
export function canSeeTraffic(actor: Rights, ownerTeam: string): boolean {
  return isMember(actor, ownerTeam) || hasAnyRole(actor, ...TRAFFIC_ROLES);
}

/** Sees the traffic of all tenants, whoever owns them. */
export function canSeeAllTraffic(actor: Rights): boolean {
  return hasAnyRole(actor, ...TRAFFIC_ROLES);
}

/**
 * The roles of a person: those given by hand, those their groups are mapped to, and admin for the admin group.
 */
export function effectiveRoles(input: {
  readonly given: readonly string[];
  readonly groups: readonly string[];
  readonly mappings: readonly { readonly group: string; readonly role: string }[];
  readonly adminGroup: string | undefined;
}): readonly Role[] {
  const held = new Set(input.given);
  for (const { group, role } of input.mappings) if (input.groups.includes(group)) held.add(role);
  if (input.adminGroup !== undefined && input.groups.includes(input.adminGroup)) held.add('admin');
  return ROLES.filter((role) => held.has(role));
}
