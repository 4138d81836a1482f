import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { edgesAt, rest, storedAt, targetsAt } from './edges.ts';
import { type Fleet, startFleet } from './fleet.ts';

// Gateway a dies by SIGKILL while its batch is on the wire; gateway b is the witness.

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterEach(async () => {
  fleet.proxy.decide(() => ({ kind: 'pass' }));
  if (fleet.a.isKilled()) await fleet.a.restart();
});
afterAll(() => fleet?.stop());

const pins = (id: string) => `/objects/Conversation/${id}/edges/pins`;
const messages = (id: string) => `/objects/Conversation/${id}/edges/messages`;
const inverse = (id: string) => `/objects/Message/${id}/edges/inConversation`;
const room = (id: string) => `chat|Conversation|${id}`;
const EDGE = JSON.stringify({ time: 5, data: 'note' });

/** A put through gateway a, whose process ends while the caller waits. */
async function dieWhilePutting(path: string, headers: Record<string, string> = {}): Promise<void> {
  await expect(fleet.a.call('PUT', path, { body: EDGE, headers })).rejects.toThrow('fetch failed');
  fleet.proxy.decide(() => ({ kind: 'pass' }));
}

test('C1: dies before the batch: nothing happened, and the same request does it, with a key and without', async () => {
  const rooms = ['c1-keyed', 'c1-unkeyed'] as const;
  const headersOf = (id: string) => (id === 'c1-keyed' ? { 'idempotency-key': 'c1' } : {});
  let waiting = 0;
  fleet.proxy.decide(({ isBatch, partition }) => {
    if (!isBatch || !rooms.some((id) => room(id) === partition)) return { kind: 'pass' };
    waiting += 1;
    if (waiting === rooms.length) fleet.a.kill();
    return { kind: 'hang' };
  });
  await Promise.all(rooms.map((id) => dieWhilePutting(`${pins(id)}/m`, headersOf(id))));
  for (const id of rooms) {
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual([]);
    const again = await fleet.b.call('PUT', `${pins(id)}/m`, { body: EDGE, headers: headersOf(id) });
    expect([again.status, again.body.created]).toEqual([201, true]);
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['m']);
  }
});

describe('C2: dies after the commit, before the reply: the edge is there once', () => {
  async function dieAfterCommit(id: string, headers: Record<string, string>): Promise<readonly [number, boolean]> {
    await fleet.b.call('PUT', `${pins(id)}/seed`, { body: EDGE });
    fleet.decideBatches(room(id), () => ({ kind: 'commit then reset', afterwards: async () => fleet.a.kill() }));
    await dieWhilePutting(`${pins(id)}/m`, headers);
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['m', 'seed']);
    const again = await fleet.b.call('PUT', `${pins(id)}/m`, { body: EDGE, headers });
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['m', 'seed']);
    return [again.status, again.body.created];
  }

  test('the key tells what happened', async () => {
    expect(await dieAfterCommit('c2-keyed', { 'idempotency-key': 'c2' })).toEqual([201, true]);
  });

  test('without a key the put is another write, and finds the edge there', async () => {
    expect(await dieAfterCommit('c2-unkeyed', {})).toEqual([200, false]);
  });
});

test('C4: dies between forward and inverse: the edge is there, its entry waits, and the inverse follows', async () => {
  fleet.decideBatches('chat|Message|m4', () => {
    fleet.a.kill();
    return { kind: 'lose' };
  });
  await dieWhilePutting(`${messages('c4')}/m4`);
  expect(await targetsAt(fleet.b.call, messages('c4'))).toEqual(['m4']);
  await fleet.a.restart();
  await rest(fleet.cosmos, 'Conversation', ['c4']);
  expect(await edgesAt(fleet.b.call, inverse('m4'))).toMatchObject({
    count: 1,
    list: [{ toId: 'c4', time: 5, data: 'note' }],
  });
});

test('C5: dies after the inverse before its entry closes: applying it again changes nothing', async () => {
  await fleet.b.call('PUT', `${messages('c5')}/seed`, { body: EDGE });
  // The first batch of this partition is the write, the second one closes the entry.
  fleet.decideBatches(room('c5'), (nth) => {
    if (nth === 0) return undefined;
    fleet.a.kill();
    return { kind: 'lose' };
  });
  await dieWhilePutting(`${messages('c5')}/m5`);
  const before = await edgesAt(fleet.b.call, inverse('m5'));
  expect(before).toMatchObject({ count: 1, list: [{ toId: 'c5', time: 5 }] });
  await fleet.a.restart();
  await rest(fleet.cosmos, 'Conversation', ['c5']);
  expect(await edgesAt(fleet.b.call, inverse('m5'))).toEqual(before);
  expect(await targetsAt(fleet.b.call, messages('c5'))).toEqual(['m5', 'seed']);
});

test('C13: the sweep of an object stops midway: readers see nothing, writes wait, and another gateway ends it', async () => {
  const id = 'swept';
  const { call } = fleet.b;
  await call('PUT', `/objects/Conversation/${id}`, { body: 'x' });
  const operations = ['messages', 'pins'].flatMap((edgeType) =>
    Array.from({ length: 50 }, (_, n) => ({ op: 'edge.put', type: 'Conversation', id, edgeType, toId: `m${n}` })),
  );
  expect((await call('POST', '/batch', { body: JSON.stringify({ operations }) })).status).toBe(200);
  const mirrored = await targetsAt(call, messages(id));
  expect(mirrored.length).toBeGreaterThan(20);
  // The first batch begins the delete, the second one sweeps edges of one type.
  fleet.decideBatches(room(id), (nth) =>
    nth === 0 ? undefined : { kind: 'commit then reset', afterwards: async () => fleet.a.kill() },
  );
  await expect(fleet.a.call('DELETE', `/objects/Conversation/${id}`)).rejects.toThrow('fetch failed');
  fleet.proxy.decide(() => ({ kind: 'pass' }));

  expect((await call('GET', `/objects/Conversation/${id}`)).code).toBe('object_not_found');
  for (const path of [pins(id), messages(id)]) expect(await targetsAt(call, path)).toEqual([]);
  const { status, code, error } = await call('PUT', `${pins(id)}/early`, { body: EDGE });
  const head = (await storedAt(fleet.cosmos, 'Conversation', id)).find((item) => item.id === 'h');
  // Unless the other gateway's worker has ended the sweep by now.
  if (head?.state === 'closing') expect([status, code, error?.retryable]).toEqual([409, 'delete_in_progress', true]);

  await rest(fleet.cosmos, 'Conversation', [id]);
  expect(await targetsAt(call, messages(id))).toEqual([]);
  expect(await targetsAt(call, inverse(mirrored[0] ?? ''))).toEqual([]);
  expect(await targetsAt(call, pins(id))).toEqual(code === null ? ['early'] : []);
  expect((await call('PUT', `${pins(id)}/new`, { body: EDGE })).body.created).toBe(true);
});
