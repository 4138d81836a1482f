import 'server-only';
import { getToken } from 'next-auth/jwt';
import type { Actor } from '#server/context.ts';
import type { Reader } from '#server/db/client.ts';
import type { ConsoleEnv } from '#server/env.ts';
import { effectiveRoles } from './rights.ts';

type SessionEnv = Pick<ConsoleEnv, 'authSecret' | 'consoleUrl' | 'adminGroup'>;

/**
 * The person behind a session cookie with the rights of this moment, or null when nobody is signed in. The cookie only
 * says who; roles and teams are read from the database each time, so that taking one away bites at the next request.
 */
export async function readActor(input: {
  readonly db: Reader;
  readonly env: SessionEnv;
  readonly cookie: string | null;
}): Promise<Actor | null> {
  const userId = await readSession(input.env, input.cookie);
  return userId === null ? null : loadActor(input.db, userId, input.env.adminGroup);
}

/** An actor by the id of its user; null when there is no such user. */
export async function loadActor(db: Reader, userId: string, adminGroup: string | undefined): Promise<Actor | null> {
  const user = await db.user.findUnique({ where: { id: userId }, include: { memberships: true } });
  if (user === null) return null;
  const mappings =
    user.groups.length === 0 ? [] : await db.roleMapping.findMany({ where: { group: { in: user.groups } } });
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    roles: effectiveRoles({ given: user.roles, groups: user.groups, mappings, adminGroup }),
    teams: user.memberships.map((membership) => membership.team).sort(),
  };
}

async function readSession(env: SessionEnv, cookie: string | null): Promise<string | null> {
  if (cookie === null) return null;
  const isSecure = env.consoleUrl.startsWith('https://');
  // Only cookies are handed over: getToken would also take a session from an Authorization header.
  const token = await getToken({
    req: { cookies: parseCookies(cookie), headers: {} } as unknown as Parameters<typeof getToken>[0]['req'],
    secret: env.authSecret,
    secureCookie: isSecure,
  });
  return token?.sub ?? null;
}

function parseCookies(header: string): Record<string, string> {
  const pairs = header.split(';').map((part): [string, string] => {
    const at = part.indexOf('=');
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}
