import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';
import { BackgroundQuery } from '#server/contract/background.ts';
import { createListener } from '#server/db/listen.ts';
import { listBackground } from '#server/gateways/list-background.ts';
import { tryAgain } from '#server/gateways/try-again.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller, type GatewayHome, makeGatewayHome, type TestGateway } from '#test/gateway/fixtures/gateway.ts';
import { containerOf } from '#test/gateway/store/stored-items.ts';
import { testConsole } from '#test/server/console.ts';
import { serveMachineApi } from '#test/support/serve-machine-api.ts';

const { db, env, signer, demoKey, as } = await testConsole();
const listener = createListener(env.databaseUrl);
const dir = mkdtempSync(join(tmpdir(), 'habitat-drift-'));
const consoleUrl = await serveMachineApi({ env, db, signer, listener, now: Date.now });
let cosmos: RunningEmulator;
let home: GatewayHome;

beforeAll(async () => {
  cosmos = await startEmulator({ port: 0, dir: join(dir, 'cosmos') });
  const trust = JSON.stringify({ keys: [{ ...signer.publicJwk, kid: signer.kid }] });
  home = makeGatewayHome({ url: consoleUrl, trust }, cosmos);
  writeFileSync(join(dir, 'token'), 'gateway-token-of-the-tests', { mode: 0o600 });
});
afterAll(async () => {
  await home?.remove();
  await cosmos?.close();
  await listener.close();
  rmSync(dir, { recursive: true, force: true });
});

async function startGateway(): Promise<TestGateway> {
  const over = { HABITAT_GATEWAY_TOKEN_FILE: join(dir, 'token'), GATEWAY_WORKERS: '1' };
  const gateway = await home.start(over);
  await eventually('it serves', async () => (await fetch(`${gateway.url}/readyz`)).ok, 120_000);
  return gateway;
}

const drifted = async () =>
  (await listBackground(await as('olga'), BackgroundQuery.parse({ list: 'drift' }))).items.map(
    ({ id, type, objectId, drift }) => ({ id, type, objectId, drift }),
  );

it('what was damaged in the store is listed in the console with the numbers, and a recount mends it', async () => {
  const first = await startGateway();
  const put = caller(first.url, demoKey);
  for (const user of ['ann', 'bo']) {
    expect((await put('PUT', `/objects/Conversation/r1/edges/members/${user}`, { body: '{}' })).status).toBe(201);
  }
  await first.kill('SIGTERM');
  const items = containerOf(cosmos);
  await items.item('h', 'chat|Conversation|r1').patch([{ op: 'incr', path: '/n/members', value: 1 }]);
  await items.item('e~memberOf~r1', 'chat|User|bo').delete();
  await items.item('h', 'chat|User|bo').patch([{ op: 'set', path: '/n/memberOf', value: 0 }]);

  const second = await startGateway();
  const inverses = [{ edgeType: 'members', from: 'r1', to: 'bo', what: 'missing' }];
  const counts = [{ edgeType: 'members', counted: 3, listed: 2 }];
  const [found] = await eventually(
    'the console lists both differences',
    async () => {
      const list = await drifted();
      return list[0]?.drift?.counts.length === 1 && list[0].drift.inverses.length === 1 ? list : null;
    },
    120_000,
  );
  expect(found).toMatchObject({ type: 'Conversation', objectId: 'r1', drift: { counts, bytes: null, inverses } });
  expect(await tryAgain(await as('olga'), { id: found?.id ?? '', list: 'drift' })).toEqual({ asked: 1 });
  await eventually('nothing is listed any more', async () => (await drifted()).length === 0, 120_000);

  const get = caller(second.url, demoKey);
  expect((await get('GET', '/objects/Conversation/r1/edges/members:count')).body).toMatchObject({ count: 2 });
  expect((await get('GET', '/objects/User/bo/edges/memberOf')).body.edges).toMatchObject([{ toId: 'r1' }]);
});
