import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { DEFINITION_KINDS } from '#gateway/contract/definitions/definition.ts';
import {
  DefinitionDetail,
  DefinitionPage,
  type DefinitionQuery,
  NeighbourQuery,
} from '#server/contract/definitions.ts';
import { listDefinitions } from '#server/registry/list-definitions.ts';
import { listNeighbours } from '#server/registry/list-neighbours.ts';
import { readDefinition } from '#server/registry/read-definition.ts';
import { EXAMPLE_DEFINITIONS } from '#server/seed/example.ts';
import { refusal, testConsole } from '#test/server/console.ts';

const console = await testConsole();
const { db } = console;

const list = async (query: Partial<z.infer<typeof DefinitionQuery>>, who = 'ana') =>
  DefinitionPage.parse(await listDefinitions(await console.as(who), { kind: 'type', limit: 50, ...query }));
const names = async (query: Partial<z.infer<typeof DefinitionQuery>>, who = 'ana') =>
  (await list(query, who)).items.map(({ name }) => name);

describe('the list of definitions', () => {
  it('holds object and edge types together, by name', async () => {
    expect(await names({})).toEqual([
      'Conversation',
      'Message',
      'User',
      'inConversation',
      'memberOf',
      'members',
      'messages',
    ]);
  });

  it('is filtered on the server by kind, words and team', async () => {
    expect(await names({ kind: 'objectType', q: 'PERSON' })).toEqual(['User']);
    expect(await names({ kind: 'type', team: 'mine' }, 'sam')).toEqual([]);
    expect(await names({ kind: 'policy', team: 'platform' })).toEqual(['team-owns-type']);
  });

  it('walks every definition exactly once forwards and back', async () => {
    const seen: string[] = [];
    let page = await list({ limit: 3 });
    seen.push(...page.items.map(({ name }) => name));
    while (page.next !== undefined) {
      page = await list({ limit: 3, cursor: page.next });
      seen.push(...page.items.map(({ name }) => name));
    }
    expect(seen).toEqual(await names({}));
    page = await list({ limit: 3, cursor: page.previous ?? '' });
    expect(page.items.map(({ name }) => name)).toEqual(seen.slice(3, 6));
  });

  it('asked for so, begins with what the teams of whoever asks own, and walks all of both parts forwards and back', async () => {
    await db.definition.updateMany({
      where: { name: { in: ['Message', 'messages'] } },
      data: { ownerTeam: 'platform' },
    });
    try {
      const all = ['Message', 'messages', 'Conversation', 'User', 'inConversation', 'memberOf', 'members'];
      expect(await names({ first: 'mine' }, 'sam')).toEqual(all);
      const seen: string[] = [];
      let page = await list({ first: 'mine', limit: 3 }, 'sam');
      for (;;) {
        seen.push(...page.items.map(({ name }) => name));
        if (page.next === undefined) break;
        page = await list({ first: 'mine', limit: 3, cursor: page.next }, 'sam');
      }
      expect(seen).toEqual(all);
      page = await list({ first: 'mine', limit: 3, cursor: page.previous ?? '' }, 'sam');
      expect(page.items.map(({ name }) => name)).toEqual(all.slice(3, 6));
      page = await list({ first: 'mine', limit: 3, cursor: page.previous ?? '' }, 'sam');
      expect([page.items.map(({ name }) => name), page.previous]).toEqual([all.slice(0, 3), undefined]);
      expect(await names({ first: 'mine', team: 'mine' }, 'sam')).toEqual(['Message', 'messages']);
    } finally {
      await db.definition.updateMany({ where: { name: { in: ['Message', 'messages'] } }, data: { ownerTeam: 'chat' } });
    }
  });

  it('refuses a cursor that is none', async () => {
    expect((await refusal(list({ cursor: 'nonsense' }))).code).toBe('invalid_input');
  });
});

describe('a definition', () => {
  it.each(DEFINITION_KINDS)('of kind %s reads as its contract says', async (kind) => {
    const { name } = EXAMPLE_DEFINITIONS.find((definition) => definition.kind === kind) ?? { name: '' };
    const detail = DefinitionDetail.parse(await readDefinition(await console.as('ana'), { kind, name }));
    expect(detail.row).toMatchObject({ kind, name, revision: 1, release: 1 });
    expect(detail.history).toHaveLength(1);
  });

  it('tells what is stored: of a type over all tenants, of a tenant by type to those who may see it', async () => {
    const stored = async (kind: 'objectType' | 'edgeType' | 'tenant' | 'policy', name: string) =>
      DefinitionDetail.parse(await readDefinition(await console.as('ana'), { kind, name })).stored;
    expect(await stored('objectType', 'Message')).toBeNull();
    const range = { gateway: 'gw-a', term: 1, repaired: 0, reportedAt: new Date(1) };
    await db.backgroundRange.createMany({
      data: [
        { ...range, range: 'feed-0', countedAt: new Date(5_000) },
        { ...range, range: 'feed-1', countedAt: new Date(4_000) },
      ],
    });
    const sum = { range: 'feed-0', tenant: 'chat', type: 'Message', count: 3, bytes: 300 };
    await db.storedSum.createMany({
      data: [
        sum,
        { ...sum, range: 'feed-1', count: 1, bytes: 100, largestBytes: 900 },
        { ...sum, tenant: 'search', bytes: 1_000, largestBytes: 700 },
        { ...sum, type: 'messages', count: 9, longestList: 4 },
        { ...sum, range: 'feed-1', type: 'messages', count: 0, bytes: 0, longestList: 6 },
      ],
    });
    const ofMessage = { type: 'Message', count: 7, bytes: 1_400 };
    expect(await stored('objectType', 'Message')).toEqual({ asOfMs: 4_000, types: [ofMessage], largestBytes: 900 });
    const ofChat = [
      { type: 'Message', count: 4, bytes: 400 },
      { type: 'messages', count: 9, bytes: 300 },
    ];
    expect(await stored('tenant', 'chat')).toEqual({ asOfMs: 4_000, types: ofChat });
    expect(await stored('edgeType', 'messages')).toMatchObject({ longestList: 6 });
    expect(await stored('objectType', 'User')).toMatchObject({ types: [{ type: 'User', count: 0, bytes: 0 }] });
    const bo = await console.as('bo');
    const stranger = { ...bo, actor: { ...bo.actor, teams: ['search'] } };
    expect((await readDefinition(stranger, { kind: 'tenant', name: 'chat' })).stored).toBeUndefined();
    expect(await stored('policy', 'team-owns-type')).toBeUndefined();
  });

  it('that is a type names who may use it and by which policy', async () => {
    const { users, relatedTo } = await readDefinition(await console.as('ana'), { kind: 'objectType', name: 'Message' });
    expect(users).toMatchObject([
      {
        principal: 'chat-api',
        actions: ['object.read', 'object.write', 'object.delete'],
        policies: ['team-owns-type'],
        requests24h: 0,
        lastUsedMs: null,
        trafficHidden: false,
      },
    ]);
    expect(relatedTo).toEqual([
      { kind: 'edgeType', name: 'inConversation', how: 'leads to Conversation' },
      { kind: 'edgeType', name: 'messages', how: 'comes from Conversation' },
    ]);
  });

  const listed = async (kind: 'objectType' | 'edgeType', name: string, query: object = {}) =>
    listNeighbours(await console.as('ana'), { kind, name, ...NeighbourQuery.parse(query) });

  it('that is an object type has the edge types at it, an edge type those between its ends, with inverses', async () => {
    const read = async (kind: 'objectType' | 'edgeType', name: string) =>
      (await listed(kind, name)).items.map(({ edge }) => edge);
    expect(await read('objectType', 'Message')).toEqual(['inConversation', 'messages']);
    expect(await read('edgeType', 'members')).toEqual(['memberOf', 'members']);
    expect((await listed('edgeType', 'members')).items).toMatchObject([
      { edge: 'memberOf', from: 'User', to: 'Conversation', inverse: null, mirrors: 'members' },
      { edge: 'members', from: 'Conversation', to: 'User', inverse: 'memberOf', mirrors: null },
    ]);
    const { neighbours } = await readDefinition(await console.as('ana'), { kind: 'edgeType', name: 'members' });
    expect(neighbours).toMatchObject({ total: 2, lines: 1, drawn: [{ edge: 'members' }] });
    expect((await listed('objectType', 'Conversation', { way: 'out' })).items.map(({ edge }) => edge)).toEqual([
      'members',
      'messages',
    ]);
    expect((await listed('objectType', 'Conversation', { q: 'USER' })).items.map(({ edge }) => edge)).toEqual([
      'memberOf',
      'members',
    ]);
    expect((await refusal(listed('objectType', 'Nothing'))).code).toBe('not_found');
    expect((await refusal(listed('objectType', 'Message', { cursor: 'bm9uc2Vuc2U' }))).code).toBe('invalid_input');
  });

  it('has its edge types a page at a time, either way, none twice and none left out', async () => {
    const first = await listed('objectType', 'Conversation', { limit: 3 });
    expect([first.items.length, first.total, first.previous]).toEqual([3, 4, undefined]);
    const second = await listed('objectType', 'Conversation', { limit: 3, cursor: first.next });
    expect(second.next).toBeUndefined();
    expect([...first.items, ...second.items].map(({ edge }) => edge)).toEqual([
      'inConversation',
      'memberOf',
      'members',
      'messages',
    ]);
    const back = await listed('objectType', 'Conversation', { limit: 3, cursor: second.previous });
    expect(back.items).toEqual(first.items);
  });

  it('withholds figures of traffic from whoever may not see them, and says so', async () => {
    await db.principalUse.create({
      data: {
        bucketAt: new Date((await console.as('ana')).nowMs),
        gateway: 'gw-a',
        tenant: 'chat',
        principal: 'chat-api',
        type: 'User',
        requests: 7,
        ru: 7,
      },
    });
    const path = { kind: 'objectType', name: 'User' } as const;
    expect((await readDefinition(await console.as('ana'), path)).users[0]).toMatchObject({
      requests24h: 7,
      trafficHidden: false,
    });
    await db.user.create({
      data: { id: 'eve', issuer: 't', subject: 'e', name: 'Eve', email: '', roles: ['engineer'] },
    });
    expect((await readDefinition(await console.as('eve'), path)).users[0]).toMatchObject({
      requests24h: 0,
      lastUsedMs: null,
      trafficHidden: true,
    });
  });

  it('that does not exist is not found', async () => {
    expect((await refusal(readDefinition(await console.as('ana'), { kind: 'tenant', name: 'ghost' }))).code).toBe(
      'not_found',
    );
  });
});
