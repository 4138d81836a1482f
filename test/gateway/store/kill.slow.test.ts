import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createContent } from '#gateway/content/create-content.ts';
import { EMULATOR_KEY } from '#gateway/emulator/http/authenticate.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import { createStore, type Store } from '#gateway/store/create-store.ts';
import { type Program, runProgram } from '#test/gateway/emulator/run-program.ts';
import { idOf, keyOf, memberOf, members, newCall, servedBy } from './store-fixture.ts';

const root = await mkdtemp(join(tmpdir(), 'habitat-kill-'));
let running: Program | undefined;
let store: Store | undefined;
afterAll(async () => {
  await store?.close();
  running?.child.kill('SIGKILL');
  await running?.exited;
  await rm(root, { recursive: true, force: true });
});

const ROUNDS = 2;
const USERS = 4;
const PER_ROUND = 40;
const userOf = (index: number) => keyOf('User', `u${index % USERS}`);

/** Puts edges until enough are acknowledged since the round began, then kills the endpoint under the writes in flight. */
async function writeUntilKilled(through: Store, round: number): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  let next = 0;
  let isKilled = false;
  const writer = async () => {
    while (!isKilled) {
      const index = next++;
      const edge = { from: userOf(index), rule: memberOf, toId: idOf(`room-${round}-${index}`) };
      const reply = await through.putEdge(
        edge,
        { timeMs: index, data: null },
        newCall({ deadlineAtMs: Date.now() + 1_000 }),
      );
      if (isDenial(reply)) expect(['outcome_unknown', 'store_unavailable', 'deadline_exceeded']).toContain(reply.code);
      else acknowledged.add(`${edge.from.id} ${edge.toId}`);
      if (acknowledged.size >= PER_ROUND) {
        isKilled = true;
        running?.child.kill('SIGKILL');
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, writer));
  await running?.exited;
  return acknowledged;
}

it('a killed endpoint loses no acknowledged edge, count = list, and the store serves as soon as it is back', async () => {
  const dir = join(root, 'cosmos');
  running = runProgram(dir);
  const url = await running.ready;
  const content = createContent({ keysDir: join(root, 'keys'), now: Date.now });
  store = createStore({
    endpoint: url,
    credential: { kind: 'key', key: EMULATOR_KEY },
    content,
    clock: { now: Date.now },
  });
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const pair of await writeUntilKilled(store, round)) acknowledged.add(pair);
    running = runProgram(dir, new URL(url).port);
    await running.ready;
  }
  const present = new Set<string>();
  for (let index = 0; index < USERS; index += 1) {
    const edge = { from: userOf(index), rule: memberOf };
    const want = { limit: 1_000, afterS: null, afterMs: null, beforeMs: null };
    const { edges } = await servedBy(store.listEdges(edge, want, newCall()));
    expect(await servedBy(store.countEdges(edge, newCall()))).toBe(edges.length);
    for (const { toId } of edges) present.add(`${edge.from.id} ${toId}`);
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * PER_ROUND);
  for (const pair of acknowledged) expect(present).toContain(pair);
  // An inverse is never ahead of its forward edge.
  for (let round = 0; round < ROUNDS; round += 1) {
    const inverse = { from: keyOf('Conversation', `room-${round}-0`), rule: members };
    const want = { toIds: [idOf('u0')], afterMs: null, beforeMs: null };
    const found = await servedBy(store.getEdges(inverse, want, newCall()));
    if (found.length > 0) expect(present).toContain(`u0 room-${round}-0`);
  }
}, 60_000);
