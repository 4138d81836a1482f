import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';
import { startConsole, type TestConsole } from '#test/gateway/fixtures/console.ts';
import { exampleItems, type Items, makeKey, objectType } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller, type GatewayHome, makeGatewayHome, type TestGateway } from '#test/gateway/fixtures/gateway.ts';

const key = makeKey('chat-api');
let cosmosDir: string;
let cosmos: RunningEmulator;

beforeAll(async () => {
  cosmosDir = mkdtempSync(join(tmpdir(), 'habitat-cosmos-'));
  cosmos = await startEmulator({ port: 0, dir: cosmosDir });
});
afterAll(async () => {
  await cosmos?.close();
  rmSync(cosmosDir, { recursive: true, force: true });
});

/** Every worker answers some of the calls; all must agree. */
async function codesOf(gateway: TestGateway, path = '/objects/Message/none') {
  const call = caller(gateway.url, key.token);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call('GET', path, { headers: { connection: 'close' } })),
  );
  return [...new Set(answers.map(({ code }) => code))];
}

function watch(console_: TestConsole) {
  const find = (number: number, state: string) =>
    eventually(`r${number} is ${state}`, () =>
      console_.acks.find(({ release, result }) => release.number === number && result.state === state),
    );
  return {
    isLive: (number: number) => find(number, 'live'),
    rejection: async (number: number) => {
      const { result } = await find(number, 'rejected');
      return result.state === 'rejected' ? result.reason : '';
    },
  };
}

describe('a gateway that follows the console', () => {
  const items = exampleItems(key);
  const locked: Items = { ...items, key: [] };
  let console_: TestConsole;
  let home: GatewayHome;
  let gateway: TestGateway;
  const isLive = (number: number) => watch(console_).isLive(number);
  const rejection = (number: number) => watch(console_).rejection(number);
  const serve = async (good: Items) => isLive(await console_.publish(good));

  beforeAll(async () => {
    console_ = await startConsole();
    home = makeGatewayHome(console_, cosmos);
    gateway = await home.start();
  });
  afterAll(async () => {
    await home?.remove();
    await console_?.close();
  });

  test('denies everything before its first release and says what is missing', async () => {
    expect(await codesOf(gateway)).toEqual(['release_unavailable']);
    const ready = await fetch(`${gateway.url}/readyz`);
    expect(ready.status).toBe(503);
    expect((await ready.json()).missing[0]).toMatch(/^No release/);
    expect(await (await fetch(`${gateway.url}/healthz`)).json()).toEqual({ ok: true });
    const { result } = await serve(items);
    expect(result).toMatchObject({ state: 'live', probesPassed: 1 });
    expect(await codesOf(gateway)).toEqual(['object_not_found']);
    await eventually('it is ready', async () => (await fetch(`${gateway.url}/readyz`)).status === 200);
  });

  test('serves a published type, and refuses a revoked key, within one release and on every worker', async () => {
    await serve(items);
    expect(await codesOf(gateway, '/objects/Photo/1')).toEqual(['unknown_type']);
    await serve({ ...items, objectType: [...items.objectType, objectType('Photo')] });
    expect(await codesOf(gateway, '/objects/Photo/1')).toEqual(['object_not_found']);
    await serve(locked);
    expect(await codesOf(gateway)).toEqual(['unauthenticated']);
  });

  test('refuses a disabled principal and an expired key', async () => {
    await serve({ ...items, principal: items.principal.map((one) => ({ ...one, disabled: true })) });
    expect(await codesOf(gateway)).toEqual(['unauthenticated']);
    await serve({ ...items, key: [{ ...key.item, expiresAtMs: Date.now() - 1 }] });
    expect(await codesOf(gateway)).toEqual(['unauthenticated']);
  });

  test('lets a forbid beat a permit, and names it', async () => {
    const cedar = 'forbid (principal == Service::"chat-api", action, resource == ObjectType::"Message");';
    const forbid = { name: 'no-messages', ownerTeam: 'security', cedar };
    await serve({ ...items, policy: [...items.policy, forbid], probe: [] });
    const refused = await caller(gateway.url, key.token)('GET', '/objects/Message/1');
    expect([refused.status, refused.code, refused.error?.policy]).toEqual([403, 'forbidden', 'no-messages']);
  });

  test.each([
    ['a section of an unknown kind', { extraSection: { kind: 'placement', text: '{}' } }, /kind "placement"/],
    ['a newer format', { formatVersion: 3 }, /format 3/],
    ['a newer gateway version', { minGatewayVersion: '9.0.0' }, /needs gateway version 9\.0\.0/],
    ['bytes that do not match their hash', { corrupt: 'principal' as const }, /Section principal does not match/],
  ])('rejects a release for %s, whole, and keeps serving the old one', async (_, options, reason) => {
    await serve(items);
    // A section that the gateway has already is not fetched again, so the damaged one must be new.
    const changed = { ...locked, principal: items.principal.map((one) => ({ ...one, description: 'Changed.' })) };
    expect(await rejection(await console_.publish(changed, options))).toMatch(reason);
    expect(await codesOf(gateway)).toEqual(['object_not_found']);
    await serve(locked);
    expect(await codesOf(gateway)).toEqual(['unauthenticated']);
  });

  test('rejects a release signed by a key outside its trust', async () => {
    await serve(items);
    const { privateKey } = await generateKeyPair('EdDSA');
    const reason = await rejection(await console_.publish(locked, { signWith: privateKey }));
    expect(reason).toMatch(/signature of the release does not hold/);
    expect(await codesOf(gateway)).toEqual(['object_not_found']);
  });

  test('rejects a policy that Cedar cannot read, and a probe that decides otherwise', async () => {
    await serve(items);
    const broken = { ...items, policy: [{ name: 'broken', ownerTeam: 'chat', cedar: 'permit (' }] };
    expect(await rejection(await console_.publish(broken))).toMatch(/policy/i);
    const otherwise = await rejection(await console_.publish({ ...items, policy: [] }));
    expect(otherwise).toMatch(/probe fails: chat-api asking object\.read on Message in chat gets deny, not allow/);
    expect(await codesOf(gateway)).toEqual(['object_not_found']);
  });

  test('never goes backwards, except into a newer epoch', async () => {
    const { release } = await serve(items);
    const older = 1;
    expect(await rejection(await console_.publish(locked, { number: older }))).toMatch(
      new RegExp(`not newer than r${release.number}`),
    );
    expect(await codesOf(gateway)).toEqual(['object_not_found']);
    await console_.publish(locked, { number: older, epoch: 2 });
    await eventually('the newer epoch is live', () =>
      console_.acks.some((ack) => ack.release.epoch === 2 && ack.result.state === 'live'),
    );
    // Refusals of bad credentials are rationed by address, and other tests of this file have spent some.
    await eventually('the locked-out key is refused', async () => (await codesOf(gateway)).includes('unauthenticated'));
    expect(await codesOf(gateway)).not.toContain('object_not_found');
  });
});

test('a gateway serves without the console and starts from its last good release, unless that was tampered with', async () => {
  const console_ = await startConsole();
  const home = makeGatewayHome(console_, cosmos);
  try {
    await console_.publish(exampleItems(key));
    const gateway = await home.start();
    await watch(console_).isLive(1);
    await eventually('a heartbeat names r1, both workers and the store', () =>
      console_.heartbeats.some((one) => one.serves?.number === 1 && one.workers.length === 2 && one.store.reachable),
    );
    await console_.close();
    expect(await codesOf(gateway)).toEqual(['object_not_found']);
    await gateway.kill('SIGKILL');

    const again = await home.start();
    expect(await codesOf(again)).toEqual(['object_not_found']);
    await console_.open();
    await console_.publish({ ...exampleItems(key), key: [] });
    await watch(console_).isLive(2);
    expect(await codesOf(again)).toEqual(['unauthenticated']);
    expect(await again.kill('SIGTERM')).toBe(0);
    expect(console_.heartbeats.at(-1)).toMatchObject({ left: true, serves: { epoch: 1, number: 2 } });
    await console_.close();

    tamper(join(home.env.GATEWAY_STATE_DIR ?? '', 'release', 'last-good.jsonl'));
    const third = await home.start();
    expect(await codesOf(third)).toEqual(['release_unavailable']);
    expect(third.said()).toMatch(/The kept release is not served: The release header does not match its hash/);
  } finally {
    await home.remove();
  }
}, 180_000);

function tamper(file: string): void {
  const [first = '', ...sections] = readFileSync(file, 'utf8').split('\n');
  const header = JSON.stringify({ ...JSON.parse(first), number: 9 });
  writeFileSync(file, [header, ...sections].join('\n'));
}
