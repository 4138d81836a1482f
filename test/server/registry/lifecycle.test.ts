import { beforeAll, describe, expect, it } from 'vitest';
import { DefinitionDetail, DefinitionPage } from '#server/contract/definitions.ts';
import { listDefinitions } from '#server/registry/list-definitions.ts';
import { readDefinition } from '#server/registry/read-definition.ts';
import { changeActs } from '#test/server/changes/acts.ts';
import { traffic } from '#test/server/changes/traffic.ts';
import { copied, edited } from '#test/server/compile/fixture.ts';
import { refusal, testConsole } from '#test/server/console.ts';

const console = await testConsole();
const { db } = console;
const acts = changeActs(console);
const sent = traffic(console);
const read = async (name: string, kind: 'objectType' | 'edgeType' = 'objectType') =>
  DefinitionDetail.parse(await readDefinition(await console.as('ana'), { kind, name }));
const list = async (state?: 'active' | 'deprecated' | 'removed') =>
  DefinitionPage.parse(
    await listDefinitions(await console.as('ana'), {
      kind: 'objectType',
      limit: 50,
      ...(state === undefined ? {} : { state }),
    }),
  ).items;
const lifecycle = { state: 'deprecated-warn', since: '2026-01-05' } as const;

beforeAll(async () => {
  const number = await acts.approved([copied('objectType', 'Message', 'Old'), copied('objectType', 'Message', 'Gone')]);
  await acts.publish('ana', number);
  await acts.publish('ana', await acts.approved([copied('objectType', 'Message', 'Old', { lifecycle })]));
  await acts.publish('ana', await acts.approved([{ kind: 'objectType', name: 'Gone', document: null }]));
});

describe('the list of types', () => {
  it('is narrowed by how far they are on their way out', async () => {
    expect((await list()).map(({ name }) => name)).toEqual(['Conversation', 'Message', 'Old', 'User']);
    expect((await list('active')).map(({ name }) => name)).toEqual(['Conversation', 'Message', 'User']);
    expect((await list('deprecated')).map(({ name, state }) => [name, state])).toEqual([['Old', 'deprecated-warn']]);
    expect((await list('removed')).map(({ name, state }) => [name, state])).toEqual([['Gone', 'removed']]);
  });

  it('says when each was last used and what its operations cost', async () => {
    await sent.used('Message', 40, { operation: 'object.put' });
    const rows = await list();
    expect(rows.find(({ name }) => name === 'Message')?.use).toEqual({
      lastUsedMs: sent.atMs,
      cost: [{ operation: 'object.put', ru: 20, requests: 40, cached: null }],
    });
    expect(rows.find(({ name }) => name === 'User')?.use).toEqual({ lastUsedMs: null, cost: [] });
  });
});

describe('a removed type', () => {
  it('is restored with its history, and its name stays taken meanwhile', async () => {
    expect((await read('Gone')).removed).toMatchObject({ by: { name: 'Ana Ruiz' } });
    const number = await acts.open('ana');
    await acts.save('ana', number, {
      kind: 'objectType',
      name: 'Gone',
      document: { ...(await read('Gone')).definition.document },
    });
    const { findings } = await acts.read('ana', number);
    expect(findings.map(({ code }) => code)).toContain('restored');
    await acts.submit('ana', number);
    await acts.review('bo', number);
    await acts.publish('ana', number);
    const { removed, row, history } = await read('Gone');
    expect([removed, row.state, row.revision]).toEqual([null, 'active', 3]);
    expect(history.map(({ revision, document }) => [revision, document === null])).toEqual([
      [3, false],
      [2, true],
      [1, false],
    ]);
  });
});

describe('a type that changes hands', () => {
  it('is approved by both teams', async () => {
    await db.user.create({
      data: {
        id: 'pat',
        issuer: 'test',
        subject: 'pat',
        name: 'Pat',
        email: 'pat@example.com',
        roles: ['engineer'],
        memberships: { create: { team: 'platform' } },
      },
    });
    const number = await acts.open('ana');
    await acts.save('ana', number, edited('objectType', 'User', { ownerTeam: 'platform' }));
    await acts.submit('ana', number);
    expect((await acts.read('ana', number)).needs.map(({ from }) => from)).toEqual(['team chat', 'team platform']);
    await acts.review('bo', number);
    expect((await refusal(acts.publish('ana', number))).code).toBe('wrong_state');
    await acts.review('pat', number);
    await acts.publish('ana', number);
    expect((await read('User')).row.ownerTeam).toBe('platform');
  });
});
