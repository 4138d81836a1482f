import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreRegion } from '#gateway/contract/machine-api.ts';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';
import { startConsole, type TestConsole } from './fixtures/console.ts';
import { exampleItems, makeKey } from './fixtures/definitions.ts';
import { eventually } from './fixtures/eventually.ts';
import { caller, type GatewayHome, makeGatewayHome, type TestGateway } from './fixtures/gateway.ts';

const ACCOUNT = 'habitat-local';
const key = makeKey('chat-api');
let dir: string;
let cosmos: RunningEmulator;
let console_: TestConsole;
let home: GatewayHome;
let gateway: TestGateway;
let call: ReturnType<typeof caller>;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'habitat-cosmos-'));
  const regions = ['East', 'West'].map((name) => ({ name, port: 0 }));
  cosmos = await startEmulator({ dir, accounts: [{ name: ACCOUNT, regions }] });
  console_ = await startConsole();
  await console_.publish(exampleItems(key));
  home = makeGatewayHome(console_, cosmos);
  gateway = await home.start({ COSMOS_REGIONS: 'West,East' });
  call = caller(gateway.url, key.token);
  await eventually('r1 is live', () => console_.acks.some(({ result }) => result.state === 'live'));
  expect((await call('PUT', '/objects/Message/m', { body: 'x' })).status).toBe(201);
});
afterAll(async () => {
  await home?.remove();
  await console_?.close();
  await cosmos?.close();
  rmSync(dir, { recursive: true, force: true });
});

const get = async () => {
  const { status, headers } = await call('GET', '/objects/Message/m');
  return [status, headers.get('habitat-served-from')];
};
const told = (name: string): StoreRegion | undefined =>
  console_.heartbeats.at(-1)?.store.regions.find(({ region }) => region === name);
const ready = async () => {
  const reply = await fetch(`${gateway.url}/readyz`);
  const { store } = await reply.json();
  return { status: reply.status, message: String(store.message) };
};

test('a reply names the region that it came from, and the console hears of both', async () => {
  expect(await get()).toEqual([200, 'West']);
  expect((await call('PUT', '/objects/Message/n', { body: 'x' })).headers.get('habitat-served-from')).toBe('East');
  await eventually('both regions are told', () => told('East')?.takesWrites === true && told('West') !== undefined);
  expect(told('West')).toMatchObject({ account: ACCOUNT, takesWrites: false, breaker: 'closed' });
});

test('with one region down the gateway serves, is ready and says which; and goes back when it returns', async () => {
  cosmos.faults.add({ account: ACCOUNT, region: 'West', effect: { kind: 'refuse' } });
  expect(await get()).toEqual([200, 'East']);
  await eventually('it is said', async () => (await ready()).message.includes('not everywhere: West: '), 30_000);
  expect((await ready()).status).toBe(200);
  await eventually('the breaker is told', () => told('West')?.breaker !== 'closed', 30_000);
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(metrics).toMatch(/habitat_store_breaker\{account="habitat-local",region="West"\} [12]\n/);
  expect(metrics).toMatch(/habitat_store_failures_total\{account="habitat-local",region="West"\} [1-9]/);
  await cosmos.faults.clear();
  await eventually('West serves again', async () => (await get())[1] === 'West', 30_000);
});

test('writes follow the account to another region', async () => {
  cosmos.failover(ACCOUNT, 'West');
  const put = await call('PUT', '/objects/Message/moved', { body: 'x' });
  expect([put.status, put.headers.get('habitat-served-from')]).toEqual([201, 'West']);
  await eventually('the console hears of it', () => told('West')?.takesWrites === true);
});

test('without any region the gateway is not ready, and says why', async () => {
  for (const region of ['East', 'West']) cosmos.faults.add({ account: ACCOUNT, region, effect: { kind: 'refuse' } });
  await eventually('it is not ready', async () => (await ready()).status === 503, 30_000);
  expect((await ready()).message).toMatch(/^Cosmos DB does not answer: /);
  expect((await call('GET', '/objects/Message/m')).code).toBe('store_unavailable');
});
