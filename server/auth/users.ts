import 'server-only';
import { randomUUID } from 'node:crypto';
import { appendAudit } from '#server/audit/append.ts';
import type { Person } from '#server/contract/people.ts';
import { type Database, type Reader, withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import type { OidcEnv } from '#server/env.ts';
import { groupsOf, nameOf, type OidcProfile } from './oidc-provider.ts';
import { effectiveRoles } from './rights.ts';

/** A one-click user with words about it. */
export interface DemoUser extends Person {
  readonly about: string;
}

/** The demo users, in the order in which the example names them. */
export async function listDemoUsers(db: Reader): Promise<DemoUser[]> {
  const users = await db.user.findMany({
    where: { demoAbout: { not: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return users.map(({ id, name, demoAbout }) => ({ id, name, about: demoAbout ?? '' }));
}

export async function findDemoUser(db: Reader, id: string): Promise<Person | null> {
  return db.user.findFirst({ where: { id, demoAbout: { not: null } }, select: { id: true, name: true } });
}

/**
 * The user behind an issuer's subject, made at the first sign-in. Known by (issuer, subject) alone: somebody with the same
 * address by another way is another person, and gets nothing of the first one's.
 */
export async function upsertOidcUser(
  db: Database,
  input: { readonly oidc: OidcEnv; readonly profile: OidcProfile; readonly nowMs: number },
): Promise<string> {
  const { profile, oidc } = input;
  const key = { issuer: profile.iss ?? oidc.issuer, subject: profile.sub };
  const claims = {
    name: nameOf(profile).slice(0, 200),
    email: (profile.email ?? '').slice(0, 320),
    groups: [...groupsOf(profile, oidc.groupsClaim)],
  };
  const user = await db.user.upsert({
    where: { issuer_subject: key },
    update: claims,
    create: { id: randomUUID(), ...key, ...claims, createdAt: new Date(input.nowMs) },
  });
  return user.id;
}

/** Notes a sign-in on the user and in the audit log. */
export async function recordSignIn(
  db: Database,
  input: { readonly userId: string; readonly by: string; readonly nowMs: number },
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const user = await tx.user.update({
      where: { id: input.userId },
      data: { lastSeenAt: new Date(input.nowMs) },
    });
    const roles = effectiveRoles({ given: user.roles, groups: [], mappings: [], adminGroup: undefined });
    await appendAudit(
      tx,
      { actor: { id: user.id, name: user.name, roles }, requestId: `sign-in ${randomUUID()}`, nowMs: input.nowMs },
      { did: 'signed in', what: input.by === 'demo' ? 'as a demo user' : `through ${user.issuer}` },
    );
    await notify(tx, 'settings');
  });
}
