import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countOf } from '#gateway/contract/histogram.ts';
import type { TestConsole } from '#test/gateway/fixtures/console.ts';
import { exampleItems, makeKey, objectType, principal, tenant } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller, type TestGateway } from '#test/gateway/fixtures/gateway.ts';
import { type Stack, startStack } from '#test/gateway/fixtures/stack.ts';

const key = makeKey('chat-api');
const M = '/objects/Message';
let stack: Stack;
let console_: TestConsole;
let gateway: TestGateway;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  stack = await startStack(exampleItems(key));
  console_ = stack.console;
  use(stack.gateway);
});
afterAll(() => stack?.stop());

function use(started: TestGateway) {
  gateway = started;
  call = caller(gateway.url, key.token);
}

/** Publishes the example with other settings of its tenant, and waits until every worker serves it. */
async function publish(over: object, extra: Partial<ReturnType<typeof exampleItems>> = {}) {
  const number = await console_.publish({ ...exampleItems(key), tenant: [tenant('chat', over)], ...extra });
  await eventually(`r${number} is live`, () =>
    console_.acks.some(({ release, result }) => release.number === number && result.state === 'live'),
  );
}

const quotas = (over: object) => ({
  quotas: { readsPerSecond: 10_000, writesPerSecond: 10_000, ruPerSecond: 1_000_000, inFlight: 1_000, ...over },
});
const many = <T>(count: number, of: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => of(i)));

test('all workers share one quota: a spent one refuses with its dimension and when to come back', async () => {
  await publish(quotas({ writesPerSecond: 1 }));
  const answers = await many(12, (index) =>
    call('PUT', `${M}/q${index}`, { body: 'x', headers: { connection: 'close' } }),
  );
  const refused = answers.filter(({ code }) => code === 'quota_exceeded');
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
  expect(refused.length).toBeGreaterThanOrEqual(8);
  const [one] = refused;
  expect(one?.status).toBe(429);
  expect(Number(one?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(one?.headers.get('ratelimit-remaining')).toBe('0');
  expect(one?.error).toMatchObject({ retryable: true, details: { dimension: 'writes', limit: 1 } });
  // Reads are another bucket.
  expect((await call('GET', `${M}/none`)).code).toBe('object_not_found');
});

test('a raised quota holds from its release on; RU is a dimension of its own', async () => {
  await publish(quotas({}));
  expect(
    (await many(12, (index) => call('PUT', `${M}/r${index}`, { body: 'x' }))).every(({ status }) => status < 300),
  ).toBe(true);
  await publish(quotas({ ruPerSecond: 20 }));
  const answers = await many(8, (index) => call('PUT', `${M}/ru${index}`, { body: 'x' }));
  expect(answers.find(({ code }) => code === 'quota_exceeded')?.error?.details).toMatchObject({ dimension: 'ru' });
});

test('in shadow mode a quota is only counted', async () => {
  await publish({ ...quotas({ writesPerSecond: 1 }), mode: 'shadow' });
  expect(
    (await many(12, (index) => call('PUT', `${M}/s${index}`, { body: 'x' }))).every(({ status }) => status < 300),
  ).toBe(true);
});

test('a stranger, and a principal that is denied, cannot spend the quota of a tenant', async () => {
  const denied = makeKey('nobody');
  await publish(quotas({ readsPerSecond: 5 }), {
    objectType: [...exampleItems(key).objectType, objectType('Closed', { ownerTeam: 'other' })],
    principal: [principal('chat-api'), principal('nobody', { tenant: 'other' })],
    tenant: [tenant('chat', quotas({ readsPerSecond: 5 })), tenant('other')],
    key: [key.item, denied.item],
  });
  const stranger = caller(gateway.url, makeKey('chat-api').token);
  const codes = new Set((await many(150, () => stranger('GET', `${M}/1`))).map(({ code }) => code));
  expect(codes).toEqual(new Set(['unauthenticated', 'quota_exceeded']));
  const outsider = caller(gateway.url, denied.token);
  expect(new Set((await many(50, () => outsider('GET', `${M}/1`))).map(({ code }) => code))).toEqual(
    new Set(['forbidden']),
  );
  // Its own key is untouched by what strangers sent from its address.
  expect((await many(4, () => call('GET', `${M}/none`))).map(({ code }) => code)).toEqual(
    Array(4).fill('object_not_found'),
  );
});

test('a request is on record soon, with its release, RU and stages; the series count every request once', async () => {
  // A type of its own: earlier tests' requests may still be on their way.
  await publish(quotas({}), { objectType: [...exampleItems(key).objectType, objectType('Counted')] });
  const T = '/objects/Counted';
  const answers = await many(30, (index) =>
    call('PUT', `${T}/t${index}`, { body: 'x', headers: { connection: 'close' } }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201));
  const got = await call('GET', `${T}/t1`);
  const record = await eventually('the record arrives', () =>
    records().find(({ id }) => id === got.headers.get('habitat-request-id')),
  );
  expect(record).toMatchObject({ tenant: 'chat', principal: 'chat-api', operation: 'object.get', type: 'Counted' });
  expect(record).toMatchObject({ status: 200, outcome: 'served', keyId: key.item.id, objectId: 't1' });
  expect(record.ru).toBeGreaterThanOrEqual(1);
  expect(record.attempts.length).toBeGreaterThanOrEqual(1);
  const stages = ['auth', 'policy', 'admit', 'store', 'decode', 'write'];
  expect(Object.keys(record.stages)).toEqual(expect.arrayContaining(stages));
  const sum = Object.values(record.stages).reduce((total, us) => total + us, 0);
  expect(Math.abs(record.durationUs - sum)).toBeLessThan(20 + record.durationUs * 0.1);
  const writes = () =>
    console_.shipments
      .flatMap(({ types }) => types)
      .filter(({ type, operation, outcome }) => [type, operation, outcome].join() === 'Counted,object.put,served');
  const uses = () =>
    console_.shipments.flatMap(({ principals }) => principals).filter(({ type }) => type === 'Counted');
  await eventually('all writes are counted', () => total(writes().map(({ count }) => count)) >= 30);
  expect(total(writes().map(({ count }) => count))).toBe(30);
  for (const { histogram, count } of writes()) expect(countOf(histogram)).toBe(count);
  expect(total(uses().map(({ requests }) => requests))).toBe(31);
  const refusal = await call('GET', '/objects/Ghost/1');
  await eventually('the refusal is on record', () =>
    records().some(({ id, code }) => id === refusal.error?.requestId && code === 'unknown_type'),
  );
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(metrics).toMatch(/habitat_requests_total\{tenant="chat",operation="object\.put",outcome="served"\} \d+/);
});

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
const records = () => console_.shipments.flatMap(({ requests }) => requests);

test('a write leaves its intent and its outcome in the audit, a refusal one row, folded when they come in crowds', async () => {
  await publish(quotas({}));
  const put = await call('PUT', `${M}/audited`, { body: 'x' });
  const id = put.headers.get('habitat-request-id');
  const rows = await eventually('both rows arrive', () => {
    const found = console_.auditRows.filter(({ requestId }) => requestId === id);
    return found.length === 2 ? found : null;
  });
  expect(rows.map(({ phase }) => phase)).toEqual(['intent', 'outcome']);
  expect(rows[1]).toMatchObject({ status: 201, version: put.body.version, principal: 'chat-api', objectId: 'audited' });
  expect(rows[1]).toMatchObject({ policy: 'team-owns-type', keyId: key.item.id });
  await many(60, () => call('GET', '/objects/Ghost/1'));
  const ghosts = () => console_.auditRows.filter(({ code }) => code === 'unknown_type');
  await eventually('every refusal is counted', () => ghosts().reduce((sum, { count }) => sum + count, 0) >= 60, 20_000);
  expect(ghosts().length).toBeLessThan(10);
}, 40_000);

test('no acknowledged write is missing in the audit after kill -9 with the console away', async () => {
  await publish(quotas({}));
  await console_.close();
  const acknowledged: string[] = [];
  const writing = many(8, async (writer) => {
    for (let index = 0; ; index++) {
      const put = await call('PUT', `${M}/k${writer}-${index}`, { body: 'x' }).catch(() => null);
      if (put === null) return;
      acknowledged.push(put.headers.get('habitat-request-id') ?? '');
    }
  });
  await eventually('some writes are acknowledged', () => acknowledged.length >= 100);
  await gateway.kill('SIGKILL');
  await writing;
  await console_.open();
  use(await stack.home.start());
  const outcomes = () =>
    console_.auditRows.filter(({ phase }) => phase === 'outcome').map(({ requestId }) => requestId);
  await eventually('all outcomes arrive', () => {
    const seen = new Set(outcomes());
    return acknowledged.every((id) => seen.has(id));
  });
  expect(new Set(outcomes()).size).toBe(outcomes().length);
  await eventually(
    'the backlog is empty',
    async () => (await (await fetch(`${gateway.url}/readyz`)).json()).auditBacklog === 0,
  );
}, 40_000);

test('a gateway whose launcher is gone ends by itself, and a second one on its folder is refused', async () => {
  const piped = await stack.home.start({ GATEWAY_STATE_DIR: join(stack.home.dir, 'other'), HABITAT_PARENT_PIPE: '1' });
  await expect(stack.home.start({ GATEWAY_STATE_DIR: join(stack.home.dir, 'other') })).rejects.toThrow(
    /is in use by the gateway process/,
  );
  piped.process.stdin?.end();
  await eventually('it ended', () => piped.process.exitCode === 0);
}, 60_000);
