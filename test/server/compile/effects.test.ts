import { describe, expect, it } from 'vitest';
import type { DraftEdit } from '#server/compile/model.ts';
import { compileEdits, copied, edited, policy } from './fixture.ts';

const texts = (edits: readonly DraftEdit[], published = compileEdits([]).definitions) =>
  compileEdits(edits, published).effects.map(({ tone, text }) => `${tone}: ${text}`);

describe('the effect of a change', () => {
  it('says of a new type what it is and who may use it', () => {
    expect(texts([copied('objectType', 'Message', 'Reaction')])).toEqual([
      'neutral: Adds object type Reaction of team chat: internal, at most 64 KB.',
      'widens: Services of team chat may read, write and delete Reaction.',
    ]);
  });

  it('is none for a list whose entries have their keys in another order, and says that a principal is disabled', () => {
    const test = { principal: 'chat-api', action: 'object.read', resource: 'Message', expect: 'allow' };
    const draft = (entry: object) => ({
      kind: 'policy' as const,
      name: 'tested',
      document: {
        ownerTeam: 'chat',
        description: 'For a test.',
        cedar: 'permit (principal, action, resource);',
        tests: [entry],
      },
    });
    const { definitions } = compileEdits([draft(test)]);
    const reordered = Object.fromEntries(Object.entries(test).reverse());
    expect(texts([draft(reordered)], definitions).filter((text) => text.includes('tests'))).toEqual([]);
    expect(texts([edited('principal', 'chat-api', { disabled: true })])).toContain('narrows: Disables chat-api.');
  });

  it('says what one service gains when what forbade it is gone, though its team’s services could all along', () => {
    const forbid = 'forbid (principal == Service::"chat-api", action, resource == ObjectType::"Message");';
    const { definitions } = compileEdits([policy('closed', forbid)]);
    expect(texts([{ kind: 'policy', name: 'closed', document: null }], definitions)).toEqual([
      'neutral: Removes policy closed.',
      'widens: chat-api (service principal of chat) may read, write and delete Message.',
    ]);
  });

  it('ends a sentence once, also where the value is one', () => {
    expect(texts([edited('objectType', 'Message', { description: 'One short message.' })])).toEqual([
      'neutral: Description of Message: One message in a conversation. → One short message.',
    ]);
  });

  it('of a removed type names who may no longer use it', () => {
    const { definitions } = compileEdits([copied('objectType', 'Message', 'Reaction')]);
    expect(texts([{ kind: 'objectType', name: 'Reaction', document: null }], definitions)).toEqual([
      'narrows: Removes object type Reaction.',
      'narrows: Services of team chat may no longer read, write and delete Reaction.',
    ]);
  });

  it('says that nobody may use a restricted type', () => {
    expect(texts([copied('objectType', 'Message', 'Secret', { classification: 'restricted' })])).toEqual([
      'neutral: Adds object type Secret of team chat: restricted, at most 64 KB.',
      'neutral: Nobody may use Secret yet: no policy permits it.',
    ]);
  });

  it('of a type and its edge folds them into one sentence', () => {
    const edits = [
      copied('objectType', 'Message', 'Reaction'),
      copied('edgeType', 'members', 'reactions', { from: 'Message', to: 'Reaction', inverse: undefined }),
    ];
    expect(texts(edits)).toContain('widens: Services of team chat may read, write and delete Reaction and reactions.');
  });

  it('of a raised classification names what is lost, on its edges too', () => {
    expect(texts([edited('objectType', 'Conversation', { classification: 'confidential' })])).toEqual([
      'neutral: Classification of Conversation: internal → confidential.',
      'narrows: Services of team chat may no longer read, write and delete Conversation, members and messages.',
    ]);
  });

  it('of a grant names the principal', () => {
    const published = compileEdits([
      copied('tenant', 'chat', 'search', { ownerTeam: 'search' }),
      copied('principal', 'chat-api', 'search-api', { tenant: 'search', ownerTeam: 'search' }),
    ]).definitions;
    const grant = policy(
      'search-reads',
      'permit (principal == Service::"search-api", action == Action::"object.read", resource == ObjectType::"Message") when { resource.tenant == "search" };',
    );
    expect(texts([grant], published)).toContain('widens: search-api (service principal of search) may read Message.');
  });

  it('of a grant without a tenant says that it reaches other tenants', () => {
    const grant = policy(
      'all-read',
      'permit (principal is Service, action == Action::"object.read", resource == ObjectType::"Message");',
    );
    expect(texts([grant])).toContain("widens: Services of team chat may read Message in other tenants' data.");
  });

  it('gives agents nothing by a policy that does not name them', () => {
    const published = compileEdits([copied('principal', 'chat-api', 'triage', { actorKind: 'agent' })]).definitions;
    const unnamed = policy('all', 'permit (principal, action == Action::"object.read", resource);');
    expect(texts([unnamed], published).join()).not.toContain('triage');
    const named = policy('agents', 'permit (principal is Agent, action == Action::"object.read", resource);');
    expect(texts([named], published)).toContain(
      'widens: triage (agent of chat) may read Conversation, Message and User.',
    );
  });

  it('folds principals and types that no policy tells apart', () => {
    const many = Array.from({ length: 300 }, (_, index) => copied('objectType', 'Message', `T${index}`));
    const robots = Array.from({ length: 40 }, (_, index) =>
      copied('principal', 'chat-api', `bot-${index}`, { actorKind: 'agent' }),
    );
    const published = compileEdits([...many, ...robots]).definitions;
    const grant = policy(
      'agents',
      'permit (principal is Agent, action == Action::"object.read", resource) when { resource.tenant == principal.tenant };',
    );
    expect(texts([grant], published)).toEqual([
      'neutral: Adds policy agents of team chat: permits.',
      'widens: bot-0, bot-1, bot-10 and 37 more (agents of team chat) may read Conversation, Message, T0, T1, T10 and 298 more.',
    ]);
  });

  it('of a quota says both figures', () => {
    const quotas = { readsPerSecond: 1_000, writesPerSecond: 200, ruPerSecond: 5_000, inFlight: 200 };
    expect(texts([edited('tenant', 'chat', { quotas })])).toEqual([
      'widens: Raises reads a second of chat from 500 to 1,000.',
      'narrows: Lowers RU a second of chat from 10,000 to 5,000.',
    ]);
  });
});

describe('probes', () => {
  it('hold an allowed and a denied decision of each principal, and none that depends on the context', () => {
    const { sections } = compileEdits([
      copied('objectType', 'Message', 'Secret', { classification: 'restricted' }),
      policy(
        'eu',
        'permit (principal is Service, action, resource == ObjectType::"Secret") when { context.region == "eu" };',
      ),
      copied('objectType', 'Message', 'Vault', { classification: 'restricted' }),
    ]);
    expect(sections?.probe.items).toEqual([
      { principal: 'chat-api', tenant: 'chat', action: 'object.read', resource: 'Conversation', expect: 'allow' },
      { principal: 'chat-api', tenant: 'chat', action: 'object.read', resource: 'Vault', expect: 'deny' },
    ]);
  });

  it('are at most fifty', () => {
    const many = Array.from({ length: 60 }, (_, index) => copied('principal', 'chat-api', `api-${index}`));
    const secret = copied('objectType', 'Message', 'Secret', { classification: 'restricted' });
    expect(compileEdits([...many, secret]).sections?.probe.items).toHaveLength(50);
  });
});

it('names a cache that is turned on, changed or turned off, and finds nothing wrong with it', () => {
  const cached = (ttlMs?: number) => edited('objectType', 'Message', ttlMs === undefined ? {} : { cache: { ttlMs } });
  const on = compileEdits([cached(10_000)]);
  expect(on.effects.map(({ tone, text }) => [tone, text])).toEqual([
    ['neutral', 'Cache of Message: off → reads up to 10 seconds old.'],
  ]);
  expect(on.findings).toEqual([]);
  const { definitions: published } = on;
  const longer = compileEdits([cached(3_600_000)], published);
  expect(longer.effects.map(({ text }) => text)).toEqual([
    'cache.ttlMs of Message: reads up to 10 seconds old → reads up to 1 hour old.',
  ]);
  const off = compileEdits([cached()], published);
  expect(off.effects.map(({ text }) => text)).toEqual(['Cache of Message: reads up to 10 seconds old → off.']);
  expect([...longer.findings, ...off.findings]).toEqual([]);
  expect(compileEdits([cached(500)]).findings.map(({ path }) => path)).toEqual(['cache.ttlMs']);
});
