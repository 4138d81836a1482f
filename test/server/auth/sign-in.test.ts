import { describe, expect, it } from 'vitest';
import { authOptions, offersDemoUsers } from '#server/auth/auth-options.ts';
import { groupsOf, OidcProfile } from '#server/auth/oidc-provider.ts';
import { effectiveRoles } from '#server/auth/rights.ts';
import { findDemoUser, upsertOidcUser } from '#server/auth/users.ts';
import { EnvError, parseEnv } from '#server/env.ts';
import { START_MS, testConsole } from '#test/server/console.ts';

const console = await testConsole();
const { db, env } = console;
const oidc = {
  issuer: 'https://login.example',
  clientId: 'c',
  clientSecret: 's',
  displayName: 'Example',
  scopes: 'openid profile email',
  groupsClaim: 'groups',
};
const signIn = (claims: Record<string, unknown>) =>
  upsertOidcUser(db, { oidc, profile: OidcProfile.parse(claims), nowMs: START_MS });

describe('signing in by an issuer', () => {
  it('knows a person by issuer and subject, and takes name and groups anew each time', async () => {
    const first = await signIn({
      iss: 'https://login.example',
      sub: '1',
      name: 'Kim',
      email: 'kim@example.com',
      groups: ['a'],
    });
    const second = await signIn({
      iss: 'https://login.example',
      sub: '1',
      name: 'Kim Ly',
      email: 'kim@example.com',
      groups: ['b'],
    });
    expect(second).toBe(first);
    expect(await db.user.findUniqueOrThrow({ where: { id: first } })).toMatchObject({ name: 'Kim Ly', groups: ['b'] });
  });

  it('never links two ways in by an equal address', async () => {
    const stranger = await signIn({
      iss: 'https://login.example',
      sub: '2',
      name: 'Ana Ruiz',
      email: 'ana@example.com',
    });
    expect(stranger).not.toBe('ana');
    expect(await db.user.findUniqueOrThrow({ where: { id: stranger } })).toMatchObject({ roles: [], groups: [] });
  });

  it('makes nobody an admin for coming first', async () => {
    const options = await authOptions({ db, env: { ...env, oidc }, now: () => START_MS });
    expect(options.providers.map(({ id }) => id)).toEqual(['oidc']);
    expect(options.providers[0]).toMatchObject({ checks: ['pkce', 'state', 'nonce'], idToken: true });
    expect(effectiveRoles({ given: [], groups: ['admins'], mappings: [], adminGroup: undefined })).toEqual([]);
    expect(effectiveRoles({ given: [], groups: ['admins'], mappings: [], adminGroup: 'admins' })).toEqual(['admin']);
  });

  it('reads groups from a list or a single string, and nothing else', () => {
    expect(groupsOf({ sub: 'x', groups: ['a', 1, 'b'] }, 'groups')).toEqual(['a', 'b']);
    expect(groupsOf({ sub: 'x', roles: 'one' }, 'roles')).toEqual(['one']);
    expect(groupsOf({ sub: 'x' }, 'groups')).toEqual([]);
  });
});

describe('a session', () => {
  it('holds the id of the person and nothing of their rights, and the log says who signed in', async () => {
    const { callbacks } = await authOptions({ db, env, now: () => START_MS });
    const token = await callbacks?.jwt?.({
      token: { name: 'Ana Ruiz', email: 'ana@example.com' },
      account: { provider: 'demo', type: 'credentials', providerAccountId: 'ana' },
      user: { id: 'ana', name: 'Ana Ruiz' },
    } as never);
    expect(token).toEqual({ sub: 'ana' });
    expect(await db.auditEvent.findFirst({ where: { did: 'signed in' } })).toMatchObject({
      actor: 'Ana Ruiz',
      actorKind: 'engineer',
      what: 'as a demo user',
    });
  });
});

describe('demo users', () => {
  it('exist in the embedded default alone', async () => {
    expect(offersDemoUsers({ isEmbedded: true, oidc: undefined })).toBe(true);
    expect(offersDemoUsers({ isEmbedded: true, oidc })).toBe(false);
    expect(offersDemoUsers({ isEmbedded: false, oidc: undefined })).toBe(false);
    const none = await authOptions({ db, env: { ...env, isEmbedded: false }, now: () => START_MS });
    expect(none.providers).toEqual([]);
    const embedded = await authOptions({ db, env, now: () => START_MS });
    expect(embedded.providers).toMatchObject([{ type: 'credentials', options: { id: 'demo' } }]);
  });

  it('are not people who signed in by an issuer', async () => {
    const id = await signIn({ iss: 'https://login.example', sub: '3', name: 'Real' });
    expect(await findDemoUser(db, id)).toBeNull();
    expect(await findDemoUser(db, 'ana')).toEqual({ id: 'ana', name: 'Ana Ruiz' });
  });
});

describe('the environment', () => {
  const good = { DATABASE_URL: 'postgresql://x', NEXTAUTH_SECRET: 'x'.repeat(32) };

  it.each([
    [{ ...good, DATABASE_URL: '' }, 'DATABASE_URL: is not set: the console needs a PostgreSQL connection string.'],
    [{ ...good, DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: does not start with postgresql://.'],
    [{ ...good, NEXTAUTH_SECRET: 'short' }, 'NEXTAUTH_SECRET: has fewer than 32 characters.'],
    [{ ...good, OIDC_ISSUER: 'https://i' }, 'OIDC_CLIENT_ID: is not set, but OIDC_ISSUER is.'],
  ])('that is wrong is said in one sentence (%#)', (source, message) => {
    expect(() => parseEnv(source)).toThrow(new EnvError(message));
  });

  it('makes cookies secure when, and only when, the console is served by https', async () => {
    for (const [url, isSecure] of [
      ['https://h.example', true],
      ['http://localhost:3000', false],
    ] as const) {
      const options = await authOptions({ db, env: { ...env, consoleUrl: url }, now: () => START_MS });
      expect(options.useSecureCookies).toBe(isSecure);
    }
  });
});
