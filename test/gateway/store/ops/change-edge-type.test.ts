import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EdgeTypeName } from '#gateway/contract/ids.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import {
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
import { itemsOf } from '#test/gateway/store/stored-items.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/support/faulty-proxy.ts';

/** User —banned→ Conversation, mirrored as Conversation —bannedUsers→ User. */
const banned: EdgeRule = {
  ...memberOf,
  edgeType: EdgeTypeName.parse('banned'),
  inverse: EdgeTypeName.parse('bannedUsers'),
};
const bannedUsers: EdgeRule = {
  ...members,
  edgeType: EdgeTypeName.parse('bannedUsers'),
  derivedFrom: banned.edgeType,
  forward: banned,
};
/** User —favourite→ Conversation, one each, mirrored as Conversation —fans→ User. */
const favourite: EdgeRule = {
  ...memberOf,
  edgeType: EdgeTypeName.parse('favourite'),
  cardinality: 'one',
  inverse: EdgeTypeName.parse('fans'),
};
const fans: EdgeRule = {
  ...members,
  edgeType: EdgeTypeName.parse('fans'),
  derivedFrom: favourite.edgeType,
  forward: favourite,
};

let fixture: Fixture;
let proxy: FaultyProxy;
let faulty: Store;
beforeAll(async () => {
  // Time passes slowly for the store, so that a slow machine has the time that inverses are given.
  const startMs = Date.now();
  fixture = await startFixture(() => Math.round(startMs + (Date.now() - startMs) / 20));
  proxy = await startFaultyProxy(fixture.emulator.url);
  faulty = fixture.another(proxy.url);
});
afterEach(() => proxy.decide(() => ({ kind: 'pass' })));
afterAll(async () => {
  await proxy.close();
  await fixture.stop();
});

const LIST = { limit: 1_000, afterS: null, afterMs: null, beforeMs: null };

function put(from: ObjectKey, rule: EdgeRule, toId: string, timeMs = 1, data: string | null = null) {
  const bytes = data === null ? null : Buffer.from(data);
  return servedBy(fixture.store.putEdge({ from, rule, toId: idOf(toId) }, { timeMs, data: bytes }, newCall()));
}

interface Change {
  readonly from: ObjectKey;
  readonly rule: EdgeRule;
  readonly toId: string;
  readonly to: EdgeRule;
}

function change({ from, rule, toId, to }: Change, call = newCall(), store = fixture.store, dataMaxBytes = 1_024) {
  return store.changeEdgeType({ from, rule, toId: idOf(toId) }, { rule: to, dataMaxBytes }, call);
}

/** Targets, times and data by list; the count agrees. */
async function listOf(from: ObjectKey, rule: EdgeRule): Promise<string[]> {
  const { edges } = await servedBy(fixture.store.listEdges({ from, rule }, LIST, newCall()));
  expect(await servedBy(fixture.store.countEdges({ from, rule }, newCall()))).toBe(edges.length);
  const texts = edges.map(async ({ toId, timeMs, data, binding }) => {
    const opened = data === null ? null : await fixture.content.open(binding, data);
    if (isDenial(opened)) throw new Error(opened.code);
    return `${toId}@${timeMs}${opened === null ? '' : ` ${Buffer.from(opened)}`}`;
  });
  return Promise.all(texts);
}

const user = (id: string) => keyOf('User', id);
const room = (id: string) => keyOf('Conversation', id);

describe('edge.changeType', () => {
  it('T4: moves the edge, both counts and both inverses, time and data unchanged', async () => {
    await put(user('ann'), memberOf, 'r1', 42, 'since spring');
    await put(user('ann'), memberOf, 'r2', 43);
    const moved = await servedBy(change({ from: user('ann'), rule: memberOf, toId: 'r1', to: banned }));
    expect(moved).toMatchObject({ timeMs: 42, replaced: false });
    expect(await listOf(user('ann'), memberOf)).toEqual(['r2@43']);
    expect(await listOf(user('ann'), banned)).toEqual(['r1@42 since spring']);
    expect(await listOf(room('r1'), members)).toEqual([]);
    expect(await listOf(room('r1'), bannedUsers)).toEqual(['ann@42 since spring']);
    const open = (await itemsOf(fixture.emulator, user('ann'))).filter(({ id, done }) => id.startsWith('x~') && !done);
    expect(open).toEqual([]);
  });

  it('named by inverse types moves the forward edge', async () => {
    await put(user('bob'), memberOf, 'r3', 7);
    await servedBy(change({ from: room('r3'), rule: members, toId: 'bob', to: bannedUsers }));
    expect(await listOf(user('bob'), memberOf)).toEqual([]);
    expect(await listOf(user('bob'), banned)).toEqual(['r3@7']);
    expect(await listOf(room('r3'), members)).toEqual([]);
    expect(await listOf(room('r3'), bannedUsers)).toEqual(['bob@7']);
  });

  it('overwrites an edge of the new type to the same target; its count stays', async () => {
    await put(user('cid'), memberOf, 'r4', 1, 'member');
    const before = await put(user('cid'), banned, 'r4', 2, 'banned');
    const moved = await servedBy(change({ from: user('cid'), rule: memberOf, toId: 'r4', to: banned }));
    expect(moved.replaced).toBe(true);
    expect(moved.r).toBeGreaterThan(before.r);
    expect(await listOf(user('cid'), memberOf)).toEqual([]);
    expect(await listOf(user('cid'), banned)).toEqual(['r4@1 member']);
    expect(await listOf(room('r4'), bannedUsers)).toEqual(['cid@1 member']);
  });

  it('to cardinality one pushes the other target out, and from it leaves none', async () => {
    await put(user('dan'), favourite, 'old', 1);
    await put(user('dan'), memberOf, 'new', 2);
    const moved = await servedBy(change({ from: user('dan'), rule: memberOf, toId: 'new', to: favourite }));
    expect(moved.replaced).toBe(false);
    expect(await listOf(user('dan'), favourite)).toEqual(['new@2']);
    expect(await listOf(room('old'), fans)).toEqual([]);
    expect(await listOf(room('new'), fans)).toEqual(['dan@2']);
    const other = { from: user('dan'), rule: favourite, toId: 'old', to: memberOf };
    expect(await codeOf(change(other))).toBe('edge_not_found');
    await servedBy(change({ ...other, toId: 'new' }));
    expect(await listOf(user('dan'), favourite)).toEqual([]);
    expect(await listOf(room('new'), fans)).toEqual([]);
    expect(await listOf(room('new'), members)).toEqual(['dan@2']);
  });

  it('is refused, and changes nothing, when the edge is not there, its data or one more edge is too much', async () => {
    const eva = { from: user('eva'), rule: memberOf, toId: 'r5', to: banned };
    expect(await codeOf(change(eva))).toBe('edge_not_found');
    await put(user('eva'), memberOf, 'r5', 1, 'x'.repeat(100));
    expect(await codeOf(change(eva, newCall(), fixture.store, 99))).toBe('content_too_large');
    await put(user('eva'), banned, 'r6');
    expect(await codeOf(change({ ...eva, to: { ...banned, maxEdges: 1 } }))).toBe('limit_exceeded');
    expect(await listOf(user('eva'), memberOf)).toHaveLength(1);
    expect(await listOf(user('eva'), banned)).toHaveLength(1);
  });

  it('repeated with its key answers the stored outcome, also when the edge is back (T13)', async () => {
    const fay = { from: user('fay'), rule: memberOf, toId: 'r7', to: banned };
    await put(user('fay'), memberOf, 'r7', 5);
    const first = await servedBy(change(fay, newCall(keyed('change-1'))));
    expect(await codeOf(change(fay))).toBe('edge_not_found');
    expect(await servedBy(change(fay, newCall(keyed('change-1'))))).toEqual(first);
    await put(user('fay'), memberOf, 'r7', 6);
    expect(await servedBy(change(fay, newCall(keyed('change-1'))))).toEqual(first);
    expect(await listOf(user('fay'), memberOf)).toEqual(['r7@6']);
    expect(await codeOf(change(fay, newCall(keyed('change-1', 'another body'))))).toBe('idempotency_conflict');
  });

  it.each(['source', 'target'])(
    'whose reply was lost is told by the edge that nobody wrote since: not the %s',
    async (end) => {
      const gus = { from: user(`gus-${end}`), rule: memberOf, toId: 'r8', to: banned };
      await put(gus.from, memberOf, 'r8', 5);
      let isLost = false;
      proxy.decide(({ isBatch }) => {
        if (!isBatch || isLost) return { kind: 'pass' };
        isLost = true;
        const afterwards = async () => {
          await put(gus.from, end === 'source' ? memberOf : banned, 'r8', 9);
        };
        return { kind: 'commit then reset', afterwards };
      });
      expect(await servedBy(change(gus, newCall(), faulty))).toMatchObject({ timeMs: 5 });
      expect(await listOf(gus.from, memberOf)).toEqual(end === 'source' ? ['r8@9'] : []);
      expect(await listOf(gus.from, banned)).toEqual(end === 'source' ? ['r8@5'] : ['r8@9']);
    },
  );
});
