import { beforeEach, describe, expect, it } from 'vitest';
import { RequestPage, RequestQuery } from '#server/contract/requests.ts';
import { listRequests } from '#server/telemetry/list-requests.ts';
import { readRequest } from '#server/telemetry/read-request.ts';
import { ReceivedInput, received } from '#server/telemetry/received.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';
import { addTenant, NOON, openBareConsole, type TestPerson } from '#test/support/bare-console.ts';
import { recordOf, shipmentOf } from '#test/support/shipments.ts';

const test = await openBareConsole();
const { db } = test;
const operator: TestPerson = { id: 'olga', roles: ['operator'] };
const ana: TestPerson = { roles: ['engineer'], teams: ['chat'] };
const stranger: TestPerson = { id: 'eve', roles: ['engineer'], teams: ['search'] };
const nobody: TestPerson = { id: 'vic', roles: ['viewer'] };

const keep = (seq: number, requests: Parameters<typeof shipmentOf>[1]) =>
  takeTelemetry({ gateway: 'gw-a', db, nowMs: NOON }, shipmentOf(seq, requests));
const list = (query: object = {}, who = operator) => listRequests(test.ctxOf(who), RequestQuery.parse(query));
const idsOf = async (query: object, who = operator) => (await list(query, who)).items.map(({ id }) => id);
const refusal = { outcome: 'refused', status: 403, code: 'forbidden' } as const;

beforeEach(async () => {
  await db.$executeRaw`TRUNCATE telemetry_shipment, request_record, definition`;
  await addTenant(db, 'chat', 'chat');
  await addTenant(db, 'search', 'search');
});

describe('kept requests', () => {
  it('walking all pages, either way, gives every request once and in order', async () => {
    // Many share a millisecond, so that the id has to decide.
    const requests = Array.from({ length: 57 }, (_, at) =>
      recordOf(`req_${String(at).padStart(2, '0')}`, NOON + Math.floor(at / 9)),
    );
    await keep(1, { requests });
    const expected = requests.map(({ id }) => id).reverse();
    const older: string[] = [];
    let page = RequestPage.parse(await list({ limit: 10 }));
    expect(page.previous).toBeUndefined();
    for (;;) {
      older.push(...page.items.map(({ id }) => id));
      if (page.next === undefined) break;
      page = RequestPage.parse(await list({ limit: 10, cursor: page.next }));
    }
    expect(older).toEqual(expected);
    const newer: string[] = page.items.map(({ id }) => id);
    while (page.previous !== undefined) {
      page = RequestPage.parse(await list({ limit: 10, cursor: page.previous }));
      newer.unshift(...page.items.map(({ id }) => id));
    }
    expect(newer).toEqual(expected);
    expect(page.total).toBe(57);
  });

  it('rows that arrive while somebody pages shift nothing', async () => {
    await keep(1, { requests: Array.from({ length: 6 }, (_, at) => recordOf(`req_${at}`, NOON + at)) });
    const first = await list({ limit: 3 });
    await keep(2, { requests: [recordOf('req_new', NOON + 100)] });
    expect(await idsOf({ limit: 3, cursor: first.next })).toEqual(['req_2', 'req_1', 'req_0']);
  });

  it('are filtered on the server', async () => {
    await keep(1, {
      requests: [
        recordOf('req_1', NOON, { type: 'User' }),
        recordOf('req_2', NOON + 1, { ...refusal, principal: 'search', release: 2 }),
        recordOf('req_3', NOON + 2, { edgeType: 'messages', type: 'Conversation' }),
      ],
    });
    expect(await idsOf({ type: 'User' })).toEqual(['req_1']);
    expect(await idsOf({ type: 'messages' })).toEqual(['req_3']);
    expect(await idsOf({ outcome: 'refused', principal: 'search', code: 'forbidden', release: 2 })).toEqual(['req_2']);
    expect(await idsOf({ fromMs: NOON + 1, toMs: NOON + 2 })).toEqual(['req_2']);
  });

  it('of another team are not listed, and naming its tenant is refused', async () => {
    await keep(1, {
      requests: [
        recordOf('req_1', NOON),
        recordOf('req_2', NOON, { tenant: 'search' }),
        recordOf('req_3', NOON, { tenant: null }),
      ],
    });
    expect(await idsOf({}, ana)).toEqual(['req_1']);
    expect(await idsOf({})).toEqual(['req_3', 'req_2', 'req_1']);
    expect(await idsOf({}, nobody)).toEqual([]);
    await expect(list({ tenant: 'search' }, ana)).rejects.toMatchObject({ code: 'not_permitted' });
    await expect(list({ tenant: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a foreign cursor is refused', async () => {
    await expect(list({ cursor: 'bm9uc2Vuc2U' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('one request', () => {
  it('says whose side a refusal is on and what to do', async () => {
    await keep(1, { requests: [recordOf('req_1', NOON, refusal), recordOf('req_2', NOON)] });
    const read = (id: string, who = ana) => readRequest(test.ctxOf(who), { id });
    expect(await read('req_1')).toMatchObject({
      side: 'policy',
      advice: expect.stringContaining('draft a grant'),
      record: { id: 'req_1', atMs: NOON },
    });
    expect(await read('req_2')).toMatchObject({ side: null, advice: null });
    await expect(read('req_1', stranger)).rejects.toMatchObject({ code: 'not_permitted' });
    await expect(read('req_9')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('whose caller was not let in says which key it named, revoked ones too, and that use is no use of the key', async () => {
    const key = { secretSha256: 'x', createdAt: new Date(NOON - 9), createdById: 'ana', createdByName: 'Ana Ruiz' };
    await db.principalKey.createMany({
      data: [
        { ...key, id: 'revoked00000', principal: 'search', label: 'a', revokedAt: new Date(NOON - 5) },
        { ...key, id: 'expired00000', principal: 'chat-api', label: 'b', expiresAt: new Date(NOON - 4) },
      ],
    });
    const out = { outcome: 'refused', status: 401, code: 'unauthenticated', tenant: null, principal: null } as const;
    await keep(1, {
      requests: [
        recordOf('req_1', NOON, { ...out, keyId: 'revoked00000' }),
        recordOf('req_2', NOON - 1, { ...out, code: 'quota_exceeded', keyId: 'expired00000' }),
        recordOf('req_3', NOON - 2, { ...out, keyId: 'nobodys00000' }),
        recordOf('req_4', NOON - 3, { keyId: 'revoked00000', principal: 'search' }),
      ],
    });
    const named = (await list()).items.map(({ namedKey }) => namedKey);
    expect(named).toEqual([
      { id: 'revoked00000', principal: 'search', revokedAtMs: NOON - 5, expiresAtMs: null },
      { id: 'expired00000', principal: 'chat-api', revokedAtMs: null, expiresAtMs: NOON - 4 },
      null,
      null,
    ]);
    const { record } = await readRequest(test.ctxOf(ana), { id: 'req_1' });
    expect(record.namedKey).toEqual(named[0]);
    const uses = await db.principalKey.findMany({ orderBy: { id: 'asc' }, select: { lastUsedAt: true } });
    expect(uses).toEqual([{ lastUsedAt: null }, { lastUsedAt: new Date(NOON - 3) }]);
    await db.principalKey.deleteMany();
  });

  it('one with a wrong key is shown to whoever was given its id', async () => {
    await keep(1, {
      requests: [
        recordOf('req_1', NOON, {
          tenant: null,
          principal: null,
          code: 'unauthenticated',
          status: 401,
          outcome: 'refused',
        }),
      ],
    });
    expect((await readRequest(test.ctxOf(stranger), { id: 'req_1' })).side).toBe('caller');
  });

  it('cannot be shipped under another gateway’s name', async () => {
    await keep(1, { requests: [recordOf('req_1', NOON, { gateway: 'gw-z' })] });
    expect((await readRequest(test.ctxOf(operator), { id: 'req_1' })).record.gateway).toBe('gw-a');
  });
});

describe('received', () => {
  const ask = (input: object, who = ana) =>
    received(test.ctxOf(who), ReceivedInput.parse({ kind: 'objectType', name: 'Message', sinceMs: NOON, ...input }));

  it('is the newest request for the type since then', async () => {
    expect(await ask({})).toEqual({ request: null });
    await keep(1, {
      requests: [recordOf('req_0', NOON - 1), recordOf('req_1', NOON), recordOf('req_2', NOON + 5, { release: 2 })],
    });
    expect(await ask({})).toEqual({
      request: {
        id: 'req_2',
        atMs: NOON + 5,
        status: 200,
        code: null,
        message: null,
        release: 2,
        ru: 1,
        operation: 'object.get',
      },
    });
    expect(await ask({ sinceMs: NOON + 6 })).toEqual({ request: null });
    expect(await ask({ kind: 'edgeType', name: 'messages' })).toEqual({ request: null });
  });

  it('tells only of requests that look as asked', async () => {
    const other = { objectId: 'somebody-else', operation: 'object.put' } as const;
    await keep(1, { requests: [recordOf('req_1', NOON, { objectId: 'hello' }), recordOf('req_2', NOON + 5, other)] });
    const idOf = async (like: object) => (await ask(like)).request?.id;
    expect(await idOf({ objectId: 'hello' })).toBe('req_1');
    expect(await idOf({ operation: 'object.get' })).toBe('req_1');
    expect(await idOf({ tenant: 'search' })).toBeUndefined();
    expect(await idOf({ tenant: 'chat', ...other })).toBe('req_2');
  });

  it('obeys the rights to traffic', async () => {
    await keep(1, { requests: [recordOf('req_1', NOON)] });
    expect(await ask({}, stranger)).toEqual({ request: null });
    expect((await ask({}, operator)).request?.id).toBe('req_1');
    await expect(ask({}, nobody)).rejects.toMatchObject({ code: 'not_permitted' });
  });
});
