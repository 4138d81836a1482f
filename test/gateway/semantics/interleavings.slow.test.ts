import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { containerOf } from '#test/gateway/store/stored-items.ts';
import { edgesAt, openEntries, storedAt, targetsAt } from './edges.ts';
import { type Call, type Fleet, startFleet } from './fleet.ts';

// A batch of gateway a is held, lost or delivered late on the wire while gateway b writes.

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterEach(async () => {
  fleet.proxy.decide(() => ({ kind: 'pass' }));
  await fleet.cosmos.faults.clear();
  // What a test lost may have opened the breaker of its region.
  await eventually('gateway a writes', async () => (await seed('afterwards', fleet.a.call)).code === null);
});
afterAll(() => fleet?.stop());

const pins = (id: string) => `/objects/Conversation/${id}/edges/pins`;
const messages = (id: string) => `/objects/Conversation/${id}/edges/messages`;
const inverse = (id: string) => `/objects/Message/${id}/edges/inConversation`;
const room = (id: string) => `chat|Conversation|${id}`;
const keyed = (key: string) => ({ 'idempotency-key': key });

const put = (call: Call, path: string, time = 5, headers: Record<string, string> = {}) =>
  call('PUT', path, { body: JSON.stringify({ time }), headers });
const remove = (call: Call, path: string, headers: Record<string, string> = {}) => call('DELETE', path, { headers });

/** Makes the head of the partition, so that the next edge is one batch. */
const seed = (id: string, call = fleet.b.call) => put(call, `${pins(id)}/seed`, 1);
const timesAt = async (path: string) =>
  (await edgesAt(fleet.b.call, path)).list.map(({ toId, time }) => `${toId}@${time}`);

describe('C3: the reply is lost and the batch arrives late', () => {
  /** A put whose first batch leaves its caller behind, and arrives once `until` resolves. */
  async function putLate(id: string, headers: Record<string, string>) {
    await seed(id);
    const until = Promise.withResolvers<void>();
    const delivered = Promise.withResolvers<void>();
    fleet.decideBatches(room(id), (nth) =>
      nth === 0 ? { kind: 'deliver late', until: until.promise, delivered: delivered.resolve } : undefined,
    );
    const reply = await put(fleet.a.call, `${pins(id)}/m`, 5, headers);
    const arrive = async () => {
      until.resolve();
      await delivered.promise;
    };
    return { reply, arrive };
  }

  test.each([
    ['keyed', keyed('late')],
    ['unkeyed', {}],
  ])('the second copy takes effect, the first none, also after the edge was deleted (%s)', async (name, headers) => {
    const id = `late-${name}`;
    const { reply, arrive } = await putLate(id, headers);
    expect([reply.status, reply.body.created]).toEqual([201, true]);
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['m', 'seed']);
    expect((await remove(fleet.b.call, `${pins(id)}/m`)).body.deleted).toBe(true);
    await arrive();
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['seed']);
  });

  test('when no copy is answered within the deadline the outcome is unknown, and the key tells it later', async () => {
    const id = 'late-unknown';
    await seed(id);
    const until = Promise.withResolvers<void>();
    const delivered = Promise.withResolvers<void>();
    fleet.decideBatches(room(id), (nth) =>
      nth === 0 ? { kind: 'deliver late', until: until.promise, delivered: delivered.resolve } : { kind: 'lose' },
    );
    const headers = { ...keyed('late-unknown'), 'habitat-deadline-ms': '700' };
    const unknown = await put(fleet.a.call, `${pins(id)}/m`, 5, headers);
    expect([unknown.status, unknown.code, unknown.error?.retryable]).toEqual([504, 'outcome_unknown', true]);
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['seed']);
    until.resolve();
    await delivered.promise;
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['m', 'seed']);
    const again = await put(fleet.b.call, `${pins(id)}/m`, 5, keyed('late-unknown'));
    expect([again.status, again.body.created]).toEqual([201, true]);
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['m', 'seed']);
  });
});

describe('two writes of one edge that meet', () => {
  test('C6: put and put of a new edge: one made it, the count is one, the later commit is what remains', async () => {
    await seed('c6');
    const held = fleet.hold(room('c6'));
    const late = put(fleet.a.call, `${pins('c6')}/m`, 10);
    await held.reached();
    expect((await put(fleet.b.call, `${pins('c6')}/m`, 20)).body.created).toBe(true);
    held.release();
    const reply = await late;
    expect([reply.status, reply.body.created]).toEqual([200, false]);
    expect(await timesAt(pins('c6'))).toEqual(['m@10', 'seed@1']);
    expect((await edgesAt(fleet.b.call, pins('c6'))).count).toBe(2);
  });

  test('C7: a put that a delete overtook makes the edge anew', async () => {
    await put(fleet.b.call, `${pins('c7')}/m`, 1);
    const held = fleet.hold(room('c7'));
    const late = put(fleet.a.call, `${pins('c7')}/m`, 10);
    await held.reached();
    expect((await remove(fleet.b.call, `${pins('c7')}/m`)).body.deleted).toBe(true);
    held.release();
    expect((await late).body.created).toBe(true);
    expect(await timesAt(pins('c7'))).toEqual(['m@10']);
    expect((await edgesAt(fleet.b.call, pins('c7'))).count).toBe(1);
  });

  test('C7: a delete that a put overtook deletes what is there, once', async () => {
    await put(fleet.b.call, `${pins('c7d')}/m`, 1);
    const held = fleet.hold(room('c7d'));
    const late = remove(fleet.a.call, `${pins('c7d')}/m`);
    await held.reached();
    expect((await put(fleet.b.call, `${pins('c7d')}/m`, 20)).body.created).toBe(false);
    held.release();
    expect((await late).body.deleted).toBe(true);
    expect(await targetsAt(fleet.b.call, pins('c7d'))).toEqual([]);
  });
});

describe('C8: a keyed put repeated after another deleted the edge answers what it did, and does not bring it back', () => {
  test('repeated by its caller', async () => {
    const first = await put(fleet.a.call, `${pins('c8')}/m`, 5, keyed('c8'));
    await remove(fleet.b.call, `${pins('c8')}/m`);
    const again = await put(fleet.b.call, `${pins('c8')}/m`, 5, keyed('c8'));
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await targetsAt(fleet.b.call, pins('c8'))).toEqual([]);
  });

  test('repeated by the gateway, whose reply was lost', async () => {
    await seed('c8g');
    const afterwards = async () => {
      await remove(fleet.b.call, `${pins('c8g')}/m`);
    };
    fleet.decideBatches(room('c8g'), (nth) => (nth === 0 ? { kind: 'commit then reset', afterwards } : undefined));
    const reply = await put(fleet.a.call, `${pins('c8g')}/m`, 5, keyed('c8g'));
    expect([reply.status, reply.body.created]).toEqual([201, true]);
    expect(await targetsAt(fleet.b.call, pins('c8g'))).toEqual(['seed']);
  });

  test('without a key the lost outcome cannot be told any more', async () => {
    await seed('c8n');
    const afterwards = async () => {
      await remove(fleet.b.call, `${pins('c8n')}/m`);
    };
    fleet.decideBatches(room('c8n'), (nth) => (nth === 0 ? { kind: 'commit then reset', afterwards } : undefined));
    expect((await put(fleet.a.call, `${pins('c8n')}/m`)).code).toBe('outcome_unknown');
    expect(await targetsAt(fleet.b.call, pins('c8n'))).toEqual(['seed']);
  });
});

describe('C9: a keyed delete of nothing, repeated after another put the edge, answers what it did and deletes nothing', () => {
  test('repeated by its caller', async () => {
    const first = await remove(fleet.a.call, `${pins('c9')}/m`, keyed('c9'));
    expect(first.body.deleted).toBe(false);
    await put(fleet.b.call, `${pins('c9')}/m`);
    expect((await remove(fleet.b.call, `${pins('c9')}/m`, keyed('c9'))).body).toEqual(first.body);
    expect(await targetsAt(fleet.b.call, pins('c9'))).toEqual(['m']);
  });

  test('repeated by the gateway, whose reply was lost', async () => {
    const afterwards = async () => {
      await put(fleet.b.call, `${pins('c9g')}/m`);
    };
    fleet.decideBatches(room('c9g'), (nth) => (nth === 0 ? { kind: 'commit then reset', afterwards } : undefined));
    expect((await remove(fleet.a.call, `${pins('c9g')}/m`, keyed('c9g'))).body.deleted).toBe(false);
    expect(await targetsAt(fleet.b.call, pins('c9g'))).toEqual(['m']);
  });
});

test('C10: a put on a tombstone that expired and is not purged is refused as contended, then done; never counted twice', async () => {
  await put(fleet.b.call, `${pins('c10')}/m`);
  await remove(fleet.b.call, `${pins('c10')}/m`);
  const tombstone = containerOf(fleet.cosmos).item('e~pins~m', room('c10'));
  fleet.cosmos.faults.add({ effect: { kind: 'keepExpired' } });
  await tombstone.patch([{ op: 'set', path: '/ttl', value: 1 }]);
  await eventually('the tombstone expires', async () => (await tombstone.read()).statusCode === 404);
  const refused = await put(fleet.a.call, `${pins('c10')}/m`);
  expect([refused.status, refused.code, refused.error?.retryable]).toEqual([409, 'write_contended', true]);
  expect(await targetsAt(fleet.b.call, pins('c10'))).toEqual([]);
  await fleet.cosmos.faults.clear();
  expect((await put(fleet.a.call, `${pins('c10')}/m`)).body.created).toBe(true);
  expect(await targetsAt(fleet.b.call, pins('c10'))).toEqual(['m']);
});

test('C11: edges whose head is missing go on: writes make a head, and an object delete takes all of them', async () => {
  for (const to of ['a', 'b']) await put(fleet.b.call, `${pins('c11')}/${to}`);
  await containerOf(fleet.cosmos).item('h', room('c11')).delete();
  expect((await put(fleet.a.call, `${pins('c11')}/c`)).body.created).toBe(true);
  expect((await edgesAt(fleet.b.call, pins('c11'))).list.map(({ toId }) => toId).toSorted()).toEqual(['a', 'b', 'c']);
  await fleet.a.call('DELETE', '/objects/Conversation/c11');
  expect(await targetsAt(fleet.b.call, pins('c11'))).toEqual([]);
});

describe('C12: an edge.put that meets the delete of its object', () => {
  test('overtaken by the whole delete it is the first edge of what comes after', async () => {
    await fleet.b.call('PUT', '/objects/Conversation/c12', { body: 'x' });
    await seed('c12');
    const held = fleet.hold(room('c12'));
    const late = put(fleet.a.call, `${pins('c12')}/m`);
    await held.reached();
    expect((await fleet.b.call('DELETE', '/objects/Conversation/c12')).body).toEqual({ id: 'c12', deleted: true });
    held.release();
    expect((await late).body.created).toBe(true);
    expect(await targetsAt(fleet.b.call, pins('c12'))).toEqual(['m']);
  });

  test('overtaking the delete it goes with the object', async () => {
    await fleet.b.call('PUT', '/objects/Conversation/c12d', { body: 'x' });
    await seed('c12d');
    const held = fleet.hold(room('c12d'));
    const late = fleet.a.call('DELETE', '/objects/Conversation/c12d');
    await held.reached();
    expect((await put(fleet.b.call, `${pins('c12d')}/m`)).body.created).toBe(true);
    held.release();
    expect((await late).body).toEqual({ id: 'c12d', deleted: true });
    expect(await targetsAt(fleet.b.call, pins('c12d'))).toEqual([]);
    expect((await fleet.b.call('GET', '/objects/Conversation/c12d')).code).toBe('object_not_found');
  });
});

describe('C14: put A→B while B is deleted', () => {
  test('an inverse that arrives after the sweep agrees with its forward edge', async () => {
    await fleet.b.call('PUT', '/objects/Message/m14', { body: 'x' });
    const held = fleet.hold('chat|Message|m14');
    const late = put(fleet.a.call, `${messages('c14')}/m14`);
    await held.reached();
    expect((await fleet.b.call('DELETE', '/objects/Message/m14')).body).toEqual({ id: 'm14', deleted: true });
    held.release();
    expect((await late).status).toBe(201);
    expect(await targetsAt(fleet.b.call, messages('c14'))).toEqual(['m14']);
    expect(await targetsAt(fleet.b.call, inverse('m14'))).toEqual(['c14']);
  });

  test('a forward edge that was there goes in both directions', async () => {
    await put(fleet.b.call, `${messages('c14b')}/m14b`);
    const held = fleet.hold('chat|Message|m14b');
    const late = fleet.a.call('DELETE', '/objects/Message/m14b');
    await held.reached();
    await put(fleet.b.call, `${messages('c14c')}/m14b`);
    held.release();
    expect((await late).status).toBe(200);
    expect(await targetsAt(fleet.b.call, inverse('m14b'))).toEqual([]);
    for (const from of ['c14b', 'c14c']) expect(await targetsAt(fleet.b.call, messages(from))).toEqual([]);
  });
});

describe.each([429, 449])('C16: %d inside a 207', (status) => {
  const effect = { kind: 'batchStatus', status, index: 0, retryAfterMs: 20 } as const;

  test('is waited out, and the write happens once', async () => {
    const id = `c16-${status}`;
    await seed(id);
    fleet.cosmos.faults.add({ partition: room(id), operations: ['batch'], times: 2, effect });
    expect((await put(fleet.b.call, `${pins(id)}/m`)).body.created).toBe(true);
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['m', 'seed']);
  });

  test('that lasts is store_throttled, and nothing happened', async () => {
    const id = `c16-${status}-lasting`;
    await seed(id);
    // Between the last attempt and the deadline is more than an attempt takes: one that is cut off would be unknown.
    const lasting = { ...effect, retryAfterMs: 1_000 };
    fleet.cosmos.faults.add({ partition: room(id), operations: ['batch'], effect: lasting });
    const refused = await put(fleet.b.call, `${pins(id)}/m`, 5, { 'habitat-deadline-ms': '2700' });
    expect([refused.status, refused.code, refused.error?.retryable]).toEqual([503, 'store_throttled', true]);
    await fleet.cosmos.faults.clear();
    expect(await targetsAt(fleet.b.call, pins(id))).toEqual(['seed']);
    expect((await storedAt(fleet.cosmos, 'Conversation', id)).some((item) => item.id === 'e~pins~m')).toBe(false);
    expect(await openEntries(fleet.cosmos, 'Conversation', id)).toEqual([]);
  });
});
