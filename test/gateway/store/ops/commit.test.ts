import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EdgeTypeName } from '#gateway/contract/ids.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { CommitPart, EdgeRule, ObjectKey } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import {
  author,
  authored,
  codeOf,
  type Fixture,
  keyed,
  keyOf,
  memberOf,
  members,
  messages,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';
import { containerOf, itemsOf, partitionOf } from '#test/gateway/store/stored-items.ts';
import { type FaultyProxy, startFaultyProxy } from '#test/support/faulty-proxy.ts';
import { changeType, deleteEdge, putEdge, putObject } from './parts-of-commits.ts';

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

const typed = (edgeType: string, change: Partial<EdgeRule> = {}): EdgeRule => ({
  ...messages,
  edgeType: EdgeTypeName.parse(edgeType),
  ...change,
});
const pins = typed('pins');

function commit(key: ObjectKey, parts: readonly CommitPart[], call = newCall(), store = fixture.store) {
  return store.commit(key, parts, call);
}

/** Targets and data by list; the count agrees. */
async function listOf(from: ObjectKey, rule: EdgeRule): Promise<string[]> {
  const want = { limit: 1_000, afterS: null, afterMs: null, beforeMs: null };
  const { edges } = await servedBy(fixture.store.listEdges({ from, rule }, want, newCall()));
  expect(await servedBy(fixture.store.countEdges({ from, rule }, newCall()))).toBe(edges.length);
  const texts = edges.map(async ({ toId, data, binding }) => {
    const opened = data === null ? null : await fixture.content.open(binding, data);
    if (isDenial(opened)) throw new Error(opened.code);
    return opened === null ? toId : `${toId} ${Buffer.from(opened)}`;
  });
  return Promise.all(texts);
}

async function textOf(key: ObjectKey): Promise<string | null> {
  const found = await fixture.store.getObject(key, newCall());
  if (isDenial(found)) return null;
  const opened = await fixture.content.open(found.value.binding, found.value.sealed);
  if (isDenial(opened)) throw new Error(opened.code);
  return Buffer.from(opened).toString();
}

const room = (id: string) => keyOf('Conversation', id);

describe('a commit', () => {
  it('writes the object and its edges in order, each item once', async () => {
    const key = room('all');
    await servedBy(commit(key, [putEdge(messages, 'old', 1, 'kept'), putEdge(messages, 'gone')]));
    const outcomes = await servedBy(
      commit(key, [
        putObject('title'),
        putEdge(messages, 'new', 3),
        putEdge(messages, 'new', 4, 'twice'),
        deleteEdge(messages, 'gone'),
        deleteEdge(messages, 'never'),
        changeType(messages, 'old', pins),
        putEdge(pins, 'short-lived'),
        deleteEdge(pins, 'short-lived'),
      ]),
    );
    expect(outcomes).toMatchObject([
      { created: true },
      { created: true, timeMs: 3 },
      { created: false, timeMs: 4 },
      { deleted: true },
      { deleted: false },
      { edgeType: 'pins', replaced: false },
      { created: true },
      { deleted: true },
    ]);
    const [, first, second] = outcomes;
    expect(first).toHaveProperty('r');
    expect(first).toMatchObject({ r: second && 'r' in second ? second.r : null });
    expect(await textOf(key)).toBe('title');
    expect(await listOf(key, messages)).toEqual(['new twice']);
    expect(await listOf(key, pins)).toEqual(['old kept']);
  });

  it('leaves nothing when one part is refused, and names it', async () => {
    const key = room('none');
    await servedBy(commit(key, [putObject('before'), putEdge(messages, 'a')]));
    const refused = await commit(key, [
      putEdge(messages, 'b'),
      deleteEdge(messages, 'a'),
      putObject('after', { ifMatch: 1, ifAbsent: false }),
    ]);
    expect(refused).toMatchObject({ code: 'version_conflict', details: { operation: 2 } });
    const absent = await commit(key, [putEdge(messages, 'b'), changeType(pins, 'a', messages)]);
    expect(absent).toMatchObject({ code: 'edge_not_found', details: { operation: 1 } });
    const full = { ...messages, maxEdges: 2 };
    expect(await codeOf(commit(key, [putEdge(full, 'b'), putEdge(full, 'c')]))).toBe('limit_exceeded');
    expect(
      await codeOf(
        commit(
          room('fresh'),
          ['a', 'b', 'c'].map((id) => putEdge(full, id)),
        ),
      ),
    ).toBe('limit_exceeded');
    expect(await textOf(key)).toBe('before');
    expect(await listOf(key, messages)).toEqual(['a']);
    expect(await listOf(room('fresh'), messages)).toEqual([]);
  });

  it('mirrors every edge that it changed, of several types and of cardinality one', async () => {
    const note = keyOf('Message', 'mirrored');
    const rules = {
      about: typed('about', {
        ...author,
        edgeType: EdgeTypeName.parse('about'),
        inverse: EdgeTypeName.parse('topics'),
      }),
    };
    await servedBy(commit(note, [putEdge(author, 'ann'), putEdge(rules.about, 'ann')]));
    await servedBy(commit(note, [putEdge(author, 'bob', 2), deleteEdge(rules.about, 'ann')]));
    const topics: EdgeRule = {
      ...authored,
      edgeType: EdgeTypeName.parse('topics'),
      derivedFrom: rules.about.edgeType,
      forward: rules.about,
    };
    expect(await listOf(keyOf('User', 'ann'), authored)).toEqual([]);
    expect(await listOf(keyOf('User', 'bob'), authored)).toEqual(['mirrored']);
    expect(await listOf(keyOf('User', 'ann'), topics)).toEqual([]);
    const entries = (await itemsOf(fixture.emulator, note)).filter(({ id }) => id.startsWith('x~'));
    expect(entries.map(({ done }) => done)).toEqual([true, true, true, true]);
  });

  it('of 96 items with two mirrored types is one batch of Cosmos', async () => {
    const ann = keyOf('User', 'most');
    const follows = { ...memberOf, edgeType: EdgeTypeName.parse('follows'), inverse: EdgeTypeName.parse('followers') };
    const parts = Array.from({ length: 96 }, (_, n) => putEdge(n % 2 ? memberOf : follows, `room${n}`));
    const call = newCall(keyed('most-1'));
    expect(await servedBy(commit(ann, parts, { ...call, deadlineAtMs: Date.now() + 20_000 }))).toHaveLength(96);
    expect(await listOf(ann, memberOf)).toHaveLength(48);
    expect(await listOf(ann, follows)).toHaveLength(48);
    expect(await listOf(room('room95'), members)).toEqual(['most']);
  });

  it('counts more edge types than one patch takes', async () => {
    const key = room('types');
    const rules = Array.from({ length: 12 }, (_, n) => typed(`type${n}`));
    await servedBy(
      commit(
        key,
        rules.map((rule) => putEdge(rule, 'a')),
      ),
    );
    await servedBy(
      commit(
        key,
        rules.flatMap((rule) => [putEdge(rule, 'b'), deleteEdge(rule, 'a')]),
      ),
    );
    for (const rule of rules) expect(await listOf(key, rule)).toEqual(['b']);
    const head = (await itemsOf(fixture.emulator, key)).find(({ id }) => id === 'h');
    const items = (await itemsOf(fixture.emulator, key)).filter(({ id }) => id !== 'h');
    const own = items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('_'))));
    expect(head?.bytes).toBe(own.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0));
    expect(
      await codeOf(
        commit(
          key,
          rules.map((rule) => putEdge({ ...rule, maxEdges: 1 }, 'c')),
        ),
      ),
    ).toBe('limit_exceeded');
  });

  it('larger than a batch may be is refused before it is sent', async () => {
    const key = room('large');
    const random = randomBytes(1_400_000);
    const put: CommitPart = {
      ...{ operation: 'object.put', content: random, contentType: 'x/y' },
      precondition: { ifMatch: null, ifAbsent: false },
    };
    expect(await codeOf(commit(key, [put, putEdge(messages, 'a')]))).toBe('request_too_large');
    expect(await listOf(key, messages)).toEqual([]);
  });

  it('on an object that is being deleted is delete_in_progress', async () => {
    const key = room('closing');
    await servedBy(commit(key, [putObject('x'), putEdge(messages, 'a')]));
    const set = (id: string, path: string, value: unknown) =>
      containerOf(fixture.emulator)
        .item(id, partitionOf(key))
        .patch([{ op: 'set', path, value }]);
    await set('h', '/state', 'closing');
    expect(await codeOf(commit(key, [putEdge(messages, 'b')]))).toBe('delete_in_progress');
    await set('h', '/state', 'open');
    await set('o', '/dead', true);
    await set('o', '/swept', false);
    expect(await codeOf(commit(key, [putObject('y')]))).toBe('delete_in_progress');
  });

  it('repeated with its key answers the stored outcomes, also of parts that changed nothing (T13)', async () => {
    const key = room('keyed');
    const parts = [putEdge(messages, 'a', 7), deleteEdge(messages, 'b')];
    const first = await servedBy(commit(key, parts, newCall(keyed('commit-1'))));
    await servedBy(commit(key, [deleteEdge(messages, 'a'), putEdge(messages, 'b')]));
    expect(await servedBy(commit(key, parts, newCall(keyed('commit-1'))))).toEqual(first);
    expect(await listOf(key, messages)).toEqual(['b']);
    const nothing = [deleteEdge(messages, 'x'), deleteEdge(messages, 'y')];
    expect(await servedBy(commit(key, nothing, newCall(keyed('commit-2'))))).toMatchObject([
      { deleted: false },
      { deleted: false },
    ]);
    await servedBy(commit(key, [putEdge(messages, 'x')]));
    expect(await servedBy(commit(key, nothing, newCall(keyed('commit-2'))))).toMatchObject([
      { deleted: false },
      { deleted: false },
    ]);
    expect(await codeOf(commit(key, parts, newCall(keyed('commit-1', 'other'))))).toBe('idempotency_conflict');
  });

  it('whose reply was lost and whose items others wrote since is still told by one that is left (T14)', async () => {
    const key = room('lost');
    await servedBy(commit(key, [putEdge(pins, 'so-that-there-is-a-head')]));
    let isLost = false;
    proxy.decide(({ isBatch }) => {
      if (!isBatch || isLost) return { kind: 'pass' };
      isLost = true;
      const other = () => servedBy(commit(key, [putEdge(messages, 'a', 9)]));
      return { kind: 'commit then reset', afterwards: () => other().then(() => undefined) };
    });
    const parts = [putEdge(messages, 'a', 1), putEdge(messages, 'b', 1)];
    expect(await servedBy(commit(key, parts, newCall(), faulty))).toMatchObject([{ timeMs: 1 }, { timeMs: 1 }]);
    expect(await listOf(key, messages)).toEqual(['a', 'b']);
  });

  it('never commits on what another write changed since it was read', async () => {
    const key = room('guarded');
    let isHeld = true;
    let meanwhile: Promise<void> | null = null;
    proxy.decide(({ isBatch }) => {
      if (!isBatch || !isHeld) return { kind: 'pass' };
      isHeld = false;
      // The edge that the commit found missing is put before its batch arrives.
      meanwhile = servedBy(commit(key, [putEdge(messages, 'b', 5)])).then(() => undefined);
      return { kind: 'hold', until: meanwhile };
    });
    const outcomes = await servedBy(
      commit(key, [deleteEdge(messages, 'b'), putEdge(messages, 'a')], newCall(), faulty),
    );
    expect(outcomes).toMatchObject([{ deleted: true }, { created: true }]);
    expect(meanwhile).not.toBeNull();
    expect(await listOf(key, messages)).toEqual(['a']);
  });

  it('moves between two counters in parallel without losing one (T8)', async () => {
    const key = room('storm');
    const ids = Array.from({ length: 6 }, (_, n) => `m${n}`);
    await servedBy(
      commit(
        key,
        ids.map((id) => putEdge(messages, id)),
      ),
    );
    const stores = [fixture.store, fixture.another()];
    const moves = Array.from({ length: 24 }, (_, n) => {
      const id = ids[n % ids.length] ?? 'm0';
      const [from, to] = n % 2 ? [pins, messages] : [messages, pins];
      return codeOf(commit(key, [changeType(from, id, to)], newCall(), stores[n % 2] ?? fixture.store));
    });
    for (const code of await Promise.all(moves))
      expect(['served', 'edge_not_found', 'write_contended']).toContain(code);
    const all = [...(await listOf(key, messages)), ...(await listOf(key, pins))];
    expect(all.sort()).toEqual(ids);
  });
});
