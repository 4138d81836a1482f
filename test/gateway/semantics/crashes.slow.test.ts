import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { edgesAt, rest, storedAt, targetsAt } from './edges.ts';
import { type Fleet, startFleet } from './fleet.ts';

// Gateway a dies by SIGKILL while its batch is on the wire; gateway b is the witness.

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterEach(() => fleet.proxy.decide(() => ({ kind: 'pass' })));
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

describe.each([
  ['keyed', { 'idempotency-key': 'crash' }],
  ['unkeyed', {}],
])('a gateway that dies while it puts an edge (%s)', (name, headers) => {
  test('C1: dies before the batch: nothing happened, and the same request does it', async () => {
    const id = `before-${name}`;
    fleet.decideBatches(room(id), () => {
      fleet.a.kill();
      return { kind: 'lose' };
    });
    await dieWhilePutting(`${pins(id)}/m`, headers);
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual([]);
    const again = await fleet.b.call('PUT', `${pins(id)}/m`, { body: EDGE, headers });
    expect([again.status, again.body.created]).toEqual([201, true]);
    await fleet.a.restart();
    expect(await targetsAt(fleet.a.call, pins(id))).toEqual(['m']);
  });

  test('C2: dies after the commit before the reply: the edge is there once, and the key tells what happened', async () => {
    const id = `after-${name}`;
    await fleet.b.call('PUT', `${pins(id)}/seed`, { body: EDGE });
    fleet.decideBatches(room(id), () => ({ kind: 'commit then reset', afterwards: async () => fleet.a.kill() }));
    await dieWhilePutting(`${pins(id)}/m`, headers);
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['m', 'seed']);
    const again = await fleet.b.call('PUT', `${pins(id)}/m`, { body: EDGE, headers });
    // Without a key the put is another write: it finds the edge there.
    expect([again.status, again.body.created]).toEqual(name === 'keyed' ? [201, true] : [200, false]);
    await fleet.a.restart();
    expect(await targetsAt(fleet.a.call, pins(id))).toEqual(['m', 'seed']);
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

describe('a gateway that dies while it deletes an object', () => {
  test('C13: the sweep stops midway, readers see nothing, and the next delete ends it', {
    timeout: 60_000,
  }, async () => {
    const id = 'swept';
    await fleet.b.call('PUT', `/objects/Conversation/${id}`, { body: 'x' });
    for (const edgeType of ['messages', 'pins']) {
      const operations = Array.from({ length: 100 }, (_, n) => ({
        ...{ op: 'edge.put', type: 'Conversation', id, edgeType, toId: `m${n}` },
      }));
      expect((await fleet.b.call('POST', '/batch', { body: JSON.stringify({ operations }) })).status).toBe(200);
    }
    expect((await targetsAt(fleet.b.call, messages(id))).length).toBeGreaterThan(50);
    const mirrored = (await targetsAt(fleet.b.call, messages(id)))[0] ?? '';
    // The first batch begins the delete, the second one sweeps.
    fleet.decideBatches(room(id), (nth) => {
      return nth === 0 ? undefined : { kind: 'commit then reset', afterwards: async () => fleet.a.kill() };
    });
    await expect(fleet.a.call('DELETE', `/objects/Conversation/${id}`)).rejects.toThrow('fetch failed');
    fleet.proxy.decide(() => ({ kind: 'pass' }));
    const isLeft = ({ id: item, dead }: { id: string; dead?: unknown }) => item.startsWith('e~') && dead !== true;
    expect((await storedAt(fleet.cosmos, 'Conversation', id)).some(isLeft)).toBe(true);

    expect((await fleet.b.call('GET', `/objects/Conversation/${id}`)).code).toBe('object_not_found');
    for (const path of [pins(id), messages(id)]) expect(await targetsAt(fleet.b.call, path)).toEqual([]);
    const put = await fleet.b.call('PUT', `${pins(id)}/new`, { body: EDGE });
    expect([put.status, put.code, put.error?.retryable]).toEqual([409, 'delete_in_progress', true]);

    await fleet.a.restart();
    const isSwept = async () => (await fleet.b.call('DELETE', `/objects/Conversation/${id}`)).body.sweeping !== true;
    await expect.poll(isSwept, { timeout: 40_000, interval: 100 }).toBe(true);
    expect((await storedAt(fleet.cosmos, 'Conversation', id)).some(isLeft)).toBe(false);
    await rest(fleet.cosmos, 'Conversation', [id]);
    expect(await targetsAt(fleet.b.call, inverse(mirrored))).toEqual([]);
    expect((await fleet.b.call('PUT', `${pins(id)}/new`, { body: EDGE })).body.created).toBe(true);
    expect(await targetsAt(fleet.a.call, pins(id))).toEqual(['new']);
  });
});
