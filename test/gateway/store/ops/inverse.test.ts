import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey } from '#gateway/pipeline/store-port.ts';
import {
  author,
  authored,
  codeOf,
  type Fixture,
  idOf,
  keyed,
  keyOf,
  memberOf,
  members,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';
import { containerOf, itemsOf, partitionOf } from '#test/gateway/store/stored-items.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const EVERYTHING = { limit: 1_000, afterS: null, afterMs: null, beforeMs: null };

function put(from: ObjectKey, rule: EdgeRule, toId: string, timeMs = 1, data: string | null = null) {
  const bytes = data === null ? null : Buffer.from(data);
  return servedBy(fixture.store.putEdge({ from, rule, toId: idOf(toId) }, { timeMs, data: bytes }, newCall()));
}

function remove(from: ObjectKey, rule: EdgeRule, toId: string) {
  return servedBy(fixture.store.deleteEdge({ from, rule, toId: idOf(toId) }, newCall()));
}

/** Targets by list; the count must agree with it. */
async function targets(from: ObjectKey, rule: EdgeRule): Promise<string[]> {
  const page = await servedBy(fixture.store.listEdges({ from, rule }, EVERYTHING, newCall()));
  expect(await servedBy(fixture.store.countEdges({ from, rule }, newCall()))).toBe(page.edges.length);
  return page.edges.map((edge) => edge.toId);
}

const user = (id: string) => keyOf('User', id);
const room = (id: string) => keyOf('Conversation', id);

describe('an inverse edge', () => {
  it('is there when the forward write is answered, with the same time, revision and data', async () => {
    const written = await put(user('ann'), memberOf, 'r1', 42, 'joined');
    const page = await servedBy(fixture.store.listEdges({ from: room('r1'), rule: members }, EVERYTHING, newCall()));
    expect(page.edges).toMatchObject([{ toId: 'ann', timeMs: 42, r: written.r }]);
    const [edge] = page.edges;
    const opened = edge?.data ? await fixture.content.open(edge.binding, edge.data) : null;
    expect(opened !== null && !isDenial(opened) ? Buffer.from(opened).toString() : opened).toBe('joined');
  });

  it('moves and goes with its forward edge', async () => {
    await put(user('bob'), memberOf, 'r2', 1);
    await put(user('cid'), memberOf, 'r2', 2);
    expect(await targets(room('r2'), members)).toEqual(['cid', 'bob']);
    await put(user('bob'), memberOf, 'r2', 3);
    expect(await targets(room('r2'), members)).toEqual(['bob', 'cid']);
    await remove(user('cid'), memberOf, 'r2');
    expect(await targets(room('r2'), members)).toEqual(['bob']);
    await put(user('cid'), memberOf, 'r2', 9);
    expect(await targets(room('r2'), members)).toEqual(['cid', 'bob']);
  });

  it('that is written is written as its forward edge', async () => {
    expect(await put(room('r3'), members, 'dan', 7)).toMatchObject({ created: true });
    expect(await targets(user('dan'), memberOf)).toEqual(['r3']);
    expect(await targets(room('r3'), members)).toEqual(['dan']);
    expect(await remove(room('r3'), members, 'dan')).toEqual({ deleted: true });
    expect(await targets(user('dan'), memberOf)).toEqual([]);
    expect(await targets(room('r3'), members)).toEqual([]);
  });

  it("is bound by its forward type's limit", async () => {
    const rule = { ...members, forward: { ...memberOf, maxEdges: 1 } };
    await put(room('r4'), rule, 'eve');
    const edge = { from: room('r5'), rule, toId: idOf('eve') };
    expect(await codeOf(fixture.store.putEdge(edge, { timeMs: 1, data: null }, newCall()))).toBe('limit_exceeded');
    expect(await targets(room('r5'), members)).toEqual([]);
  });

  it('leaves its outbox entry done, and the entry never held content', async () => {
    await put(user('fay'), memberOf, 'r6', 1, 'SECRET-MARKER');
    const entries = (await itemsOf(fixture.emulator, user('fay'))).filter((item) => item.id.startsWith('x~'));
    expect(entries).toEqual([expect.objectContaining({ done: true, ttl: 3_600 })]);
    expect(JSON.stringify(entries)).not.toContain('SECRET-MARKER');
  });

  it('that cannot be applied leaves the entry open and does not fail the write', async () => {
    const failing = fixture.another();
    // The inverse goes to an id whose partition is closing, which refuses live edges.
    await closePartition(room('r7'));
    const edge = { from: user('gus'), rule: memberOf, toId: idOf('r7') };
    expect(await codeOf(failing.putEdge(edge, { timeMs: 1, data: null }, newCall()))).toBe('served');
    const [entry] = (await itemsOf(fixture.emulator, user('gus'))).filter((item) => item.id.startsWith('x~'));
    expect(entry).toMatchObject({
      kind: 'pairs',
      tenant: 'chat',
      fromType: 'User',
      fromId: 'gus',
      edgeType: 'memberOf',
      inverse: 'members',
      toType: 'Conversation',
      pairs: [{ to: 'r7' }],
    });
    expect(entry).not.toHaveProperty('done');
  });

  it('repeated under a key is applied once and answered the same', async () => {
    const edge = { from: user('hal'), rule: memberOf, toId: idOf('r8') };
    const first = await servedBy(fixture.store.putEdge(edge, { timeMs: 1, data: null }, newCall(keyed('k'))));
    expect(await servedBy(fixture.store.putEdge(edge, { timeMs: 1, data: null }, newCall(keyed('k'))))).toEqual(first);
    expect(await targets(room('r8'), members)).toEqual(['hal']);
  });

  it('agrees with its forward edges after a storm of puts and deletes from both sides (T8)', async () => {
    const stores = [fixture.store, fixture.another(), fixture.another()];
    const users = ['u1', 'u2', 'u3'];
    const rooms = ['s1', 's2', 's3'];
    const storm = Array.from({ length: 150 }, (_, index) => {
      const store = stores[index % 3] ?? fixture.store;
      const [who, where] = [users[(index * 7) % 3] ?? '', rooms[(index * 5 + (index >> 2)) % 3] ?? ''];
      const forward = { from: user(who), rule: memberOf, toId: idOf(where) };
      const inverse = { from: room(where), rule: members, toId: idOf(who) };
      const edge = index % 2 === 0 ? forward : inverse;
      return async () => {
        const code =
          index % 5 < 3
            ? await codeOf(store.putEdge(edge, { timeMs: index, data: null }, newCall()))
            : await codeOf(store.deleteEdge(edge, newCall()));
        // Under contention a refusal that says so is honest; anything else is a fault.
        expect(['served', 'write_contended']).toContain(code);
      };
    });
    for (let at = 0; at < storm.length; at += 10) await Promise.all(storm.slice(at, at + 10).map((run) => run()));
    const forwardPairs: string[] = [];
    for (const who of users)
      for (const where of await targets(user(who), memberOf)) forwardPairs.push(`${who} ${where}`);
    const inversePairs: string[] = [];
    for (const where of rooms)
      for (const who of await targets(room(where), members)) inversePairs.push(`${who} ${where}`);
    // A pair whose entry is still open (contended too long) is the worker's to mirror, and says so in the store.
    const open = (await Promise.all(users.map(openPairsOf))).flat();
    const settled = (pairs: string[]) => pairs.filter((pair) => !open.includes(pair)).toSorted();
    expect(settled(inversePairs)).toEqual(settled(forwardPairs));
    expect(forwardPairs.length).toBeGreaterThan(0);
  });
});

describe('cardinality one', () => {
  const message = (id: string) => keyOf('Message', id);

  it('holds the last target; the count stays one and the inverse of the old target goes', async () => {
    await put(message('m1'), author, 'ann');
    expect(await put(message('m1'), author, 'bob')).toMatchObject({ created: true });
    expect(await targets(message('m1'), author)).toEqual(['bob']);
    expect(await targets(user('ann'), authored)).toEqual([]);
    expect(await targets(user('bob'), authored)).toEqual(['m1']);
  });

  it('is deleted only by its own target', async () => {
    await put(message('m2'), author, 'cid');
    expect(await remove(message('m2'), author, 'dan')).toEqual({ deleted: false });
    expect(await targets(message('m2'), author)).toEqual(['cid']);
    const want = { toIds: [idOf('dan'), idOf('cid')], afterMs: null, beforeMs: null };
    const found = await servedBy(fixture.store.getEdges({ from: message('m2'), rule: author }, want, newCall()));
    expect(found.map((edge) => edge.toId)).toEqual(['cid']);
    expect(await remove(message('m2'), author, 'cid')).toEqual({ deleted: true });
    expect(await targets(user('cid'), authored)).toEqual([]);
  });

  it('written through its inverse replaces the target all the same', async () => {
    await put(user('eve'), authored, 'm3');
    await put(user('fay'), authored, 'm3');
    expect(await targets(message('m3'), author)).toEqual(['fay']);
    expect(await targets(user('eve'), authored)).toEqual([]);
    expect(await targets(user('fay'), authored)).toEqual(['m3']);
  });
});

const OpenEntry = z.object({ fromId: z.string(), pairs: z.array(z.object({ to: z.string() })) });

async function openPairsOf(who: string): Promise<string[]> {
  const entries = (await itemsOf(fixture.emulator, user(who))).filter((item) => item.id.startsWith('x~') && !item.done);
  return entries.flatMap((item) => {
    const { fromId, pairs } = OpenEntry.parse(item);
    return pairs.map((pair) => `${fromId} ${pair.to}`);
  });
}

async function closePartition(key: ObjectKey): Promise<void> {
  await put(user('someone'), memberOf, key.id);
  const head = containerOf(fixture.emulator).item('h', partitionOf(key));
  await head.patch([{ op: 'set', path: '/state', value: 'closing' }]);
}
