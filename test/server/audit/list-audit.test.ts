import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditRow } from '#gateway/contract/audit.ts';
import { appendAudit } from '#server/audit/append.ts';
import { listAudit } from '#server/audit/list-audit.ts';
import { takeAudit } from '#server/audit/take-shipment.ts';
import { AuditPage, AuditQuery } from '#server/contract/audit.ts';
import { withTransaction } from '#server/db/client.ts';
import { addTenant, NOON, openBareConsole, type TestPerson } from '#test/support/bare-console.ts';
import { auditRowOf } from '#test/support/shipments.ts';

const test = await openBareConsole();
const { db, clock } = test;
const sam: TestPerson = { id: 'sam', name: 'Sam Lee', roles: ['security'] };
const ana: TestPerson = { roles: ['engineer'], teams: ['chat'] };
const stranger: TestPerson = { id: 'eve', name: 'Eve', roles: ['engineer'], teams: ['search'] };

const list = async (query: object = {}, who = sam) =>
  AuditPage.parse(await listAudit(test.ctxOf(who), AuditQuery.parse(query)));
const whats = async (query: object, who = sam) => (await list(query, who)).items.map(({ what }) => what);

async function ship(rows: readonly Partial<AuditRow>[], stream = 'gw-a/0/b1') {
  const from = (await db.auditStream.findUnique({ where: { stream } }))?.nextSeq ?? 1;
  const numbered = rows.map((row, at) => auditRowOf(from + at, NOON + at, { ...row, seq: from + at }));
  return takeAudit({ gateway: 'gw-a', db, nowMs: clock.nowMs }, { stream, from, rows: numbered });
}

const act = (event: Partial<Parameters<typeof appendAudit>[2]> = {}, who: TestPerson = ana, token?: { name: string }) =>
  withTransaction(db, (tx) => {
    const actor = { ...test.ctxOf(who).actor, ...(token && { token }) };
    return appendAudit(tx, { ...test.ctxOf(who), actor }, { did: 'published', what: 'r2 from ∆1', ...event });
  });

beforeEach(async () => {
  clock.nowMs = NOON;
  await db.$executeRaw`TRUNCATE audit_event, audit_stream, definition, gateway`;
  await addTenant(db, 'chat', 'chat');
});

describe('one log of two sources', () => {
  it('shows what people did with before and after, and what a gateway refused', async () => {
    await act({
      kind: 'objectType',
      name: 'Message',
      before: { maxBytes: 1 },
      after: { maxBytes: 2 },
      release: 2,
      because: 'users react',
    });
    await ship([{ code: 'forbidden', policy: 'search-reads', count: 3, objectId: 'm1', release: 2 }]);
    const { items, total } = await list();
    expect(total).toBe(2);
    expect(items).toMatchObject([
      {
        source: 'gateway',
        actor: 'chat-api',
        actorKind: 'service principal',
        did: 'refused',
        what: 'Message m1',
        because: 'search-reads @ r2',
        outcome: 'forbidden',
        count: 3,
        tenant: 'chat',
        href: '/requests/req_1',
        stream: 'gw-a/0/b1',
        seq: 1,
      },
      {
        source: 'console',
        actor: 'Ana Ruiz',
        actorKind: 'engineer',
        did: 'published',
        what: 'r2 from ∆1',
        before: { maxBytes: 1 },
        after: { maxBytes: 2 },
        because: 'users react',
        release: 2,
      },
    ]);
  });

  it('the intent and the outcome of a write are one row, and an intent without outcome is unknown', async () => {
    const write = { operation: 'object.put', code: null, status: null } as const;
    await ship([
      { ...write, phase: 'intent', requestId: 'req_a', objectId: 'a' },
      { ...write, phase: 'outcome', requestId: 'req_a', objectId: 'a', status: 200, version: '2' },
      {
        ...write,
        phase: 'intent',
        requestId: 'req_b',
        objectId: 'b',
        operation: 'edge.delete',
        edgeType: 'messages',
        type: 'Conversation',
        toId: 'm1',
      },
      { ...write, phase: 'intent', requestId: 'req_c', objectId: 'c' },
      { ...write, phase: 'outcome', requestId: 'req_c', objectId: 'c', status: 412, code: 'version_conflict' },
    ]);
    const page = await list({ tab: 'writes' });
    expect(page.total).toBe(3);
    expect(page.items.map(({ did, what, outcome }) => [did, what, outcome])).toEqual([
      ['wrote', 'Message c', 'version_conflict'],
      ['deleted', 'messages of Conversation b to m1', 'unknown'],
      ['wrote', 'Message a', 'done'],
    ]);
  });

  it('an outcome of another stream does not settle a write', async () => {
    const write = { operation: 'object.put', requestId: 'req_a', code: null } as const;
    await ship([{ ...write, phase: 'intent' }]);
    await ship([{ ...write, phase: 'outcome' }], 'gw-a/1/b1');
    expect((await list({ tab: 'writes' })).items).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('tabs keep apart changes, refusals, writes and agents', async () => {
    await act();
    await ship([
      { objectId: 'x' },
      { phase: 'intent', operation: 'object.put', objectId: 'y' },
      { actorKind: 'agent', phase: 'read', code: null, objectId: 'z' },
    ]);
    expect(await whats({ tab: 'changes' })).toEqual(['r2 from ∆1']);
    expect(await whats({ tab: 'refusals' })).toEqual(['Message x']);
    expect(await whats({ tab: 'writes' })).toEqual(['Message y']);
    expect(await whats({ tab: 'agents' })).toEqual(['Message z']);
    expect(await whats({ tab: 'everything' })).toHaveLength(4);
  });
});

describe('filters', () => {
  beforeEach(async () => {
    await act({ what: 'key abc of search', did: 'revoked', kind: 'principal', name: 'search' }, { ...sam, id: 'sam' });
    await act({ what: '∆7', did: 'edited' }, ana, { name: 'Release-bot' });
    await act({ what: "O'Brien's \\ draft", kind: 'objectType', name: 'Message', release: 2 });
    await ship([
      { objectId: 'm_81', requestId: 'req_9f', release: 42, policy: 'team-owns-type' },
      { type: 'Conversation', edgeType: 'messages', objectId: 'c1', tenant: 'search', code: 'quota_exceeded' },
    ]);
  });

  it.each([
    ['actor:ana -token:release', ["O'Brien's \\ draft"]],
    ['token:release-bot did:edited', ['∆7']],
    ['release-bot did:edited', ['∆7']],
    ['actor:"Sam Lee" did:revoked', ['key abc of search']],
    ['kind:service', ['messages of Conversation c1', 'Message m_81']],
    ['type:message', ['Message m_81', "O'Brien's \\ draft"]],
    ['type:messages', ['messages of Conversation c1']],
    ['tenant:search', ['messages of Conversation c1']],
    ['policy:team-owns-type', ['Message m_81']],
    ['release:r42', ['Message m_81']],
    ['release:42 release:2', ['Message m_81', "O'Brien's \\ draft"]],
    ['request:req_9', ['Message m_81']],
    ['m_8', ['Message m_81']],
    ['quota', ['messages of Conversation c1']],
    ["o'brien's", ["O'Brien's \\ draft"]],
    ['"\\"', ["O'Brien's \\ draft"]],
    ['message m_81', ['Message m_81']],
    ['-actor:chat-api -did:revoked', ["O'Brien's \\ draft"]],
    ['-m_81 type:Message', ["O'Brien's \\ draft"]],
    ['tenant:nobody', []],
    ['before:2026-11-30T12:00', []],
    ['after:2026-11-30T12:00:00.001', ['messages of Conversation c1']],
  ])('%s', async (filter, expected) => {
    expect((await whats({ filter })).sort()).toEqual([...expected].sort());
  });

  it('what cannot be read is refused with its position', async () => {
    await expect(list({ filter: 'tenant:chat colour:red' })).rejects.toMatchObject({
      code: 'invalid_input',
      fields: { filter: expect.stringMatching(/^12: colour: is not a filter/) },
    });
  });

  it('any line is answered or refused, never failed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({
          maxLength: 40,
          unit: fc.constantFrom('a', "'", '"', '\\', ':', '*', '&', '|', '!', '(', '<', '-', ' ', '%', 'ß', '∆'),
        }),
        async (filter) => {
          const refusal: unknown = await list({ filter }).then(
            () => null,
            (error: unknown) => error,
          );
          if (refusal !== null) expect(refusal).toMatchObject({ code: 'invalid_input' });
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('paging', () => {
  it('walking all pages gives every row once in order, with either way back', async () => {
    await ship(Array.from({ length: 45 }, (_, at) => ({ objectId: `m${at}`, atMs: NOON + Math.floor(at / 7) })));
    const all = (await list({ limit: 200 })).items.map(({ id }) => id);
    expect(new Set(all).size).toBe(45);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (limit) => {
        const seen: string[] = [];
        let page = await list({ limit });
        for (;;) {
          seen.push(...page.items.map(({ id }) => id));
          if (page.next === undefined) break;
          const forward = await list({ limit, cursor: page.next });
          const back = await list({ limit, cursor: forward.previous });
          expect(back.items).toEqual(page.items);
          page = forward;
        }
        expect(seen).toEqual(all);
      }),
      { numRuns: 8 },
    );
  });

  it('a foreign cursor is refused', async () => {
    for (const cursor of ['bm9uc2Vuc2U', Buffer.from('["older",1,"x"]').toString('base64url')]) {
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('counts exactly up to 10,000 and then says more', async () => {
    await db.$executeRaw`
      INSERT INTO audit_event (at, source, actor, actor_kind, did, what)
      SELECT now(), 'console', 'Ana Ruiz', 'engineer', 'published', 'r' || n FROM generate_series(1, 10000) AS n`;
    expect((await list()).total).toBe(10_000);
    await act();
    expect((await list()).total).toBeNull();
  });
});

describe('rights', () => {
  it("a tenant's data path is for its team and for operator, security, auditor and admin; acts are for all", async () => {
    await act();
    await ship([{ objectId: 'own' }, { objectId: 'foreign', tenant: 'search' }, { objectId: 'none', tenant: null }]);
    expect(await whats({}, ana)).toEqual(['Message own', 'r2 from ∆1']);
    expect(await whats({}, stranger)).toEqual(['r2 from ∆1']);
    for (const role of ['operator', 'security', 'auditor', 'admin'] as const) {
      expect(await whats({}, { id: role, name: role, roles: [role] })).toHaveLength(4);
    }
    expect((await list({ filter: 'tenant:search' }, ana)).total).toBe(0);
  });
});

describe('reading the log is audited', () => {
  it('once per person, tab and filter in 15 minutes, and shown when asked for', async () => {
    await Promise.all([list({ filter: 'chat' }), list({ filter: 'chat' }), list({ filter: 'chat' })]);
    await list({ filter: 'chat', limit: 5 });
    await list({ filter: 'other' });
    await list({ filter: 'chat' }, ana);
    const readings = async () =>
      (await list({ filter: 'did:read' })).items.map(({ actor, because }) => `${actor}: ${because}`);
    expect((await readings()).sort()).toEqual([
      'Ana Ruiz: everything: chat',
      'Sam Lee: everything: chat',
      'Sam Lee: everything: other',
    ]);
    expect(await whats({})).toEqual([]);
    clock.nowMs += 15 * 60_000;
    await list({ filter: 'chat' });
    expect(await db.auditEvent.count({ where: { did: 'read', because: 'everything: chat', actorId: 'sam' } })).toBe(2);
  });
});

describe('how much of the log is here', () => {
  const beat = (name: string, heardAgoMs: number, auditBacklog: number) =>
    db.gateway.create({
      data: {
        name,
        version: '0.1.0',
        url: 'http://127.0.0.1:4000',
        startedAt: new Date(NOON - 600_000),
        lastHeardAt: new Date(NOON - heardAgoMs),
        workers: [],
        auditBacklog,
        storeReachable: true,
        storeMessage: 'answers',
      },
    });

  it('it is whole up to now without gateways, to the last word of the quietest with them', async () => {
    expect(await list()).toMatchObject({ wholeUpToMs: NOON, unaudited: 0 });
    await beat('gw-a', 2_000, 0);
    await beat('gw-b', 40_000, 0);
    expect(await list()).toMatchObject({ wholeUpToMs: NOON - 40_000, unaudited: 0 });
  });

  it('a gateway with rows on its spool vouches for its last shipment only', async () => {
    clock.nowMs = NOON - 100_000;
    await ship([{}]);
    clock.nowMs = NOON;
    await beat('gw-a', 1_000, 12);
    expect(await list()).toMatchObject({ wholeUpToMs: NOON - 100_000, unaudited: 12 });
  });
});
