import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FaultEffect, NewFault } from '#gateway/contract/local-cosmos.ts';
import { ACCOUNT, startTwoRegions, type TwoRegions } from '#test/gateway/emulator/two-regions.ts';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';

let test: TwoRegions;
beforeAll(async () => {
  test = await startTwoRegions();
  await test.east.container.items.create({ id: 'there', pk: 'p' });
});
afterEach(() => test.emulator.faults.clear());
afterAll(() => test.close());

const play = (effect: FaultEffect, more: Partial<NewFault> = {}) => test.emulator.faults.add({ effect, ...more });

const status = (code: number, subStatus = 0, retryAfterMs: number | null = null): FaultEffect => ({
  kind: 'status',
  status: code,
  subStatus,
  retryAfterMs,
});

const read = () => test.east.container.item('there', 'p').read();

describe('status', () => {
  it.each([
    [429, 3200],
    [449, 0],
    [410, 1002],
    [408, 0],
    [500, 0],
    [503, 0],
    [403, 3],
    [404, 1002],
  ])('%i/%i reaches the client as the service says it, and nothing is carried out', async (code, subStatus) => {
    play(status(code, subStatus));
    const raw = await test.east.raw('', 'p', { method: 'POST', body: JSON.stringify({ id: `s${code}`, pk: 'p' }) });
    expect(raw).toMatchObject({ status: code, headers: { 'x-ms-substatus': String(subStatus) } });
    expect(raw.headers).toHaveProperty('x-ms-request-charge');
    expect(JSON.parse(raw.body)).toHaveProperty('message', expect.stringMatching(/^Message: ./));
    // The client takes every 404 of a read for an answer, and its diagnostics alone know better.
    if (code === 404) expect(await read()).toMatchObject({ statusCode: 404, resource: undefined });
    else expect(await refusal(read())).toMatchObject({ code });
    await test.emulator.faults.clear();
    expect((await test.east.raw(`s${code}`, 'p')).status).toBe(404);
  });

  it('carries the time to wait when it has one', async () => {
    play(status(429, 3200, 1_234));
    expect((await test.east.raw('there', 'p')).headers['x-ms-retry-after-ms']).toBe('1234');
    await test.emulator.faults.clear();
    play(status(429, 3200));
    expect((await test.east.raw('there', 'p')).headers).not.toHaveProperty('x-ms-retry-after-ms');
  });
});

describe('batchStatus', () => {
  const batch = () =>
    test.east.container.items.batch(
      ['a', 'b', 'c'].map((id) => ({ operationType: 'Create' as const, resourceBody: { id, pk: 'p' } })),
      'p',
    );

  it('rolls a batch back: 207, one operation with the status, 424 for the others, nothing written', async () => {
    play({ kind: 'batchStatus', status: 449, index: 1, retryAfterMs: null });
    const { code, result } = await batch();
    expect(code).toBe(207);
    expect(result?.map(({ statusCode }) => statusCode)).toEqual([424, 449, 424]);
    await test.emulator.faults.clear();
    expect((await test.east.raw('a', 'p')).status).toBe(404);
    expect((await batch()).code).toBe(200);
  });

  it('tells the time to wait of an inner 429; an index beyond the end is the last', async () => {
    play({ kind: 'batchStatus', status: 429, index: 9, retryAfterMs: 77 });
    const reply = await test.east.raw('', 'p', {
      method: 'POST',
      headers: { 'x-ms-cosmos-is-batch-request': 'true', 'x-ms-cosmos-batch-atomic': 'true' },
      body: JSON.stringify([
        { operationType: 'Read', id: 'there' },
        { operationType: 'Read', id: 'there' },
      ]),
    });
    expect(reply.status).toBe(207);
    expect(JSON.parse(reply.body)).toMatchObject([
      { statusCode: 424 },
      { statusCode: 429, subStatusCode: 3200, retryAfterMilliseconds: 77 },
    ]);
  });

  it('meets batches alone, and a malformed one is refused as ever', async () => {
    play({ kind: 'batchStatus', status: 429, index: 0, retryAfterMs: null });
    expect((await read()).statusCode).toBe(200);
    const malformed = await test.east.raw('', 'p', {
      method: 'POST',
      headers: { 'x-ms-cosmos-is-batch-request': 'true', 'x-ms-cosmos-batch-atomic': 'true' },
      body: '{"no":"list"}',
    });
    expect(malformed.status).toBe(400);
  });
});

describe('keepExpired', () => {
  it('reads find nothing where creates meet 409, alone and in a batch; an upsert takes the place', async () => {
    const item = { id: 'gone', pk: 'p', ttl: 1 };
    await test.east.container.items.create(item);
    test.clock.offsetMs += 5_000;
    play({ kind: 'keepExpired' });
    const { container } = test.east;
    expect((await container.item('gone', 'p').read()).statusCode).toBe(404);
    expect((await refusal(container.items.create(item))).code).toBe(409);
    const create = { operationType: 'Create' as const, resourceBody: item };
    const { code, result } = await container.items.batch([create], 'p');
    expect([code, result?.[0]?.statusCode]).toEqual([207, 409]);
    expect((await container.items.upsert(item)).statusCode).toBe(201);
    test.clock.offsetMs += 5_000;
    await test.emulator.faults.clear();
    expect((await container.items.create(item)).statusCode).toBe(201);
  });
});

describe('whom a fault meets', () => {
  const statusOf = async (reply: Promise<{ status: number }>): Promise<number> => (await reply).status;
  const raw = (method: string, item: string, headers: Record<string, string> = {}, body = '') =>
    statusOf(test.east.raw(item, 'p', { method, headers, ...(body === '' ? {} : { body }) }));
  const requests: Readonly<Record<string, () => Promise<number>>> = {
    read: () => raw('GET', 'there'),
    query: () => raw('GET', ''),
    feed: () => raw('GET', '', { 'a-im': 'Incremental Feed' }),
    write: () => raw('DELETE', 'absent'),
    batch: () =>
      raw(
        'POST',
        '',
        { 'x-ms-cosmos-is-batch-request': 'true', 'x-ms-cosmos-batch-atomic': 'true' },
        '[{"operationType":"Read","id":"there"}]',
      ),
    metadata: async () => (await test.east.client.database('test').read()).statusCode,
  };

  it.each(['read', 'query', 'feed', 'write', 'batch'] as const)('%s alone, when told so', async (operation) => {
    play(status(418), { operations: [operation] });
    for (const [name, request] of Object.entries(requests)) {
      expect([name, (await request()) === 418]).toEqual([name, name === operation]);
    }
  });

  it('metadata alone, when told so', async () => {
    play(status(418), { operations: ['metadata'] });
    expect((await refusal(test.east.client.database('test').read())).code).toBe(418);
    expect(await requests.read?.()).toBe(200);
  });

  it('one region or all, one account or all, one partition or all', async () => {
    play(status(418), { account: ACCOUNT, region: 'West' });
    expect((await test.east.raw('there', 'p')).status).toBe(200);
    expect((await test.west.raw('there', 'p')).status).toBe(418);
    await test.emulator.faults.clear();
    play(status(418));
    expect((await test.east.raw('there', 'p')).status).toBe(418);
    expect((await test.west.raw('there', 'p')).status).toBe(418);
    await test.emulator.faults.clear();
    play(status(418), { partition: 'ü' });
    expect((await test.east.raw('there', 'p')).status).toBe(200);
    // As some clients write it.
    const escaped = { 'x-ms-documentdb-partitionkey': '[ "\\u00fc" ]' };
    expect((await test.east.raw('there', 'p', { headers: escaped })).status).toBe(418);
  });

  it('so many and then no more', async () => {
    play(status(418), { times: 3 });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await test.east.raw('there', 'p')).status);
    expect(statuses).toEqual([418, 418, 418, 200, 200]);
    expect(test.emulator.faults.list()).toEqual([]);
  });

  it('a share of them, counted', async () => {
    const draws = [0.1, 0.29, 0.3, 0.9];
    let drawn = 0;
    const other = await startTwoRegions({ random: () => draws[drawn++ % draws.length] ?? 0 });
    other.emulator.faults.add({ percent: 30, effect: status(418) });
    const statuses = [];
    drawn = 0;
    for (let n = 0; n < 8; n += 1) statuses.push((await other.east.raw('x', 'p')).status);
    expect(statuses).toEqual([418, 418, 404, 404, 418, 418, 404, 404]);
    expect(other.emulator.faults.list()[0]?.met).toBe(4);
    await other.close();
  });

  it('the first that ends a request, and every delay on its way', async () => {
    const delay = play({ kind: 'slow', delayMs: 60, perQueuedMs: 0 });
    const first = play(status(418));
    const second = play(status(503));
    const sentMs = performance.now();
    expect((await test.east.raw('there', 'p')).status).toBe(418);
    expect(performance.now() - sentMs).toBeGreaterThanOrEqual(59);
    const met = new Map(test.emulator.faults.list().map((fault) => [fault.id, fault.met]));
    expect([met.get(delay.id), met.get(first.id), met.get(second.id)]).toEqual([1, 1, 0]);
  });
});
