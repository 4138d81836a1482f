import { expect, it } from 'vitest';
import { setReviewMode, setRoleMappings, setRoles } from '#server/auth/edit-settings.ts';
import { readMe } from '#server/auth/read-me.ts';
import { readSettings } from '#server/auth/read-settings.ts';
import { Me, Settings } from '#server/contract/people.ts';
import { refusal, testConsole } from '#test/server/console.ts';

const console = await testConsole();
const { db } = console;

it('says who asks, with teams, roles and the demo users of the embedded default', async () => {
  const me = Me.parse(await readMe(await console.as('ana')));
  expect(me).toMatchObject({ name: 'Ana Ruiz', roles: ['engineer'], teams: ['chat'] });
  expect(me.demoUsers.map(({ id }) => id)).toEqual(['ana', 'bo', 'sam', 'olga', 'ada']);
});

it('names no demo user once an issuer is configured', async () => {
  const ctx = await console.as('ana');
  const oidc = {
    issuer: 'https://i.example',
    clientId: 'c',
    clientSecret: 's',
    displayName: 'I',
    scopes: undefined,
    groupsClaim: 'groups',
  };
  expect((await readMe({ ...ctx, env: { ...ctx.env, oidc } })).demoUsers).toEqual([]);
});

it('lets admins alone change settings', async () => {
  const mode = setReviewMode(await console.as('ana'), {
    team: 'chat',
    kind: 'types',
    reviewMode: 'off',
    reason: 'Faster.',
  });
  expect((await refusal(mode)).code).toBe('not_permitted');
  const roles = setRoles(await console.as('sam'), { id: 'sam', roles: ['admin'], reason: 'Me too.' });
  expect((await refusal(roles)).code).toBe('not_permitted');
  const mappings = setRoleMappings(await console.as('olga'), { mappings: [] });
  expect((await refusal(mappings)).code).toBe('not_permitted');
  expect(Settings.parse(await readSettings(await console.as('ana')))).toMatchObject({ canEdit: false });
});

it('records before and after of a review mode', async () => {
  await setReviewMode(await console.as('ada'), {
    team: 'chat',
    kind: 'types',
    reviewMode: 'self with reason',
    reason: 'A small team.',
  });
  expect(await db.auditEvent.findFirst({ where: { did: 'set the review mode' } })).toMatchObject({
    actor: 'Ada Moss',
    actorKind: 'admin',
    because: 'A small team.',
    before: { reviewMode: 'second person' },
    after: { reviewMode: 'self with reason' },
  });
  const missing = setReviewMode(await console.as('ada'), {
    team: 'ghosts',
    kind: 'types',
    reviewMode: 'off',
    reason: 'None.',
  });
  expect((await refusal(missing)).code).toBe('not_found');
});

it('gives a role at the next request, and never leaves an installation without an admin', async () => {
  await setRoles(await console.as('ada'), { id: 'bo', roles: ['engineer', 'auditor'], reason: 'Audit week.' });
  expect((await console.as('bo')).actor.roles).toEqual(['engineer', 'auditor']);
  const last = setRoles(await console.as('ada'), { id: 'ada', roles: [], reason: 'Leaving.' });
  expect((await refusal(last)).code).toBe('wrong_state');
  expect((await console.as('ada')).actor.roles).toEqual(['admin']);
});

it('maps groups of an issuer to roles without a restart', async () => {
  await db.user.create({
    data: { id: 'kim', issuer: 'https://i', subject: 'k', name: 'Kim', email: '', groups: ['sec'] },
  });
  expect((await console.as('kim')).actor.roles).toEqual([]);
  await setRoleMappings(await console.as('ada'), { mappings: [{ group: 'sec', role: 'security' }] });
  expect((await console.as('kim')).actor.roles).toEqual(['security']);
  await setRoleMappings(await console.as('ada'), { mappings: [] });
  expect((await console.as('kim')).actor.roles).toEqual([]);
});
