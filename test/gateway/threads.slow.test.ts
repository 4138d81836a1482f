import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';
import { readEnv } from '#gateway/env.ts';
import { type Gateway, startGateway } from '#gateway/start.ts';
import { startConsole, type TestConsole } from '#test/gateway/fixtures/console.ts';
import { exampleItems, makeKey, objectType } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller, type GatewayHome, makeGatewayHome } from '#test/gateway/fixtures/gateway.ts';

const key = makeKey('chat-api');
const items = exampleItems(key);
const threads: Worker[] = [];
const said: string[] = [];
const note = (worker: Worker) => threads.push(worker);
let cosmosDir: string;
let cosmos: RunningEmulator;
let console_: TestConsole;
let home: GatewayHome;
let gateway: Gateway;

beforeAll(async () => {
  process.on('worker', note);
  cosmosDir = mkdtempSync(join(tmpdir(), 'habitat-cosmos-'));
  cosmos = await startEmulator({ port: 0, dir: cosmosDir });
  console_ = await startConsole();
  await console_.publish(items);
  home = makeGatewayHome(console_, cosmos);
  threads.length = 0;
  const ports = { nowMs: Date.now, random: Math.random, boot: 'test', say: (sentence: string) => said.push(sentence) };
  gateway = await startGateway(readEnv(home.env), ports);
  await eventually('r1 is live', () => console_.acks.some(({ result }) => result.state === 'live'));
});
afterAll(async () => {
  process.off('worker', note);
  await gateway?.stop();
  await home?.remove();
  await console_?.close();
  await cosmos?.close();
  rmSync(cosmosDir, { recursive: true, force: true });
});

const codes = async (path: string) => {
  const call = caller(gateway.url, key.token);
  const answers = Array.from({ length: 12 }, async () => {
    const answer = await call('GET', path, { headers: { connection: 'close' } }).catch(() => null);
    return answer?.code ?? 'no answer';
  });
  return [...new Set(await Promise.all(answers))];
};

test('a worker that dies is started again with the release that the others serve, and it is said', async () => {
  const [, , first] = threads;
  await first?.terminate();
  await eventually('it is said', () => said.some((sentence) => /^Worker \d stopped .* starts again/.test(sentence)));
  await eventually('both workers report again', () => console_.heartbeats.at(-1)?.workers.length === 2, 30_000);
  expect(await codes('/objects/Message/none')).toEqual(['object_not_found']);
}, 60_000);

test('a release thread that dies is started again, and the next release is live', async () => {
  const [, releases] = threads;
  await releases?.terminate();
  await eventually('it is said', () => said.some((sentence) => sentence.startsWith('The release thread stopped')));
  const number = await console_.publish({ ...items, objectType: [...items.objectType, objectType('Early')] });
  await eventually('the next release is live', () =>
    console_.acks.some(({ release, result }) => release.number === number && result.state === 'live'),
  );
  expect(await codes('/objects/Early/none')).toEqual(['object_not_found']);
}, 60_000);

test('a policy thread that dies is replaced, and decisions go on under the same release', async () => {
  const [policy] = threads;
  await policy?.terminate();
  await eventually('it is said', () => said.some((sentence) => sentence.startsWith('The policy thread stopped')));
  expect(await codes('/objects/Message/none')).toEqual(['object_not_found']);
  // Not decided before, so the new thread has to.
  expect(await codes('/objects/Conversation/none')).toEqual(['object_not_found']);
  const number = await console_.publish({ ...items, objectType: [...items.objectType, objectType('Late')] });
  await eventually('the next release is live', () =>
    console_.acks.some(({ release, result }) => release.number === number && result.state === 'live'),
  );
  expect(await codes('/objects/Late/none')).toEqual(['object_not_found']);
}, 60_000);
