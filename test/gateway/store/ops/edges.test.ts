import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EdgeTypeName } from '#gateway/contract/ids.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey, StoredEdge } from '#gateway/pipeline/store-port.ts';
import {
  codeOf,
  type Fixture,
  idOf,
  keyed,
  keyOf,
  messages,
  newCall,
  servedBy,
  startFixture,
} from '#test/gateway/store/store-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

interface Want {
  readonly limit: number;
  readonly afterS: string | null;
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

const EVERYTHING: Want = { limit: 1_000, afterS: null, afterMs: null, beforeMs: null };

function put(from: ObjectKey, toId: string, timeMs: number, data: string | null = null, call = newCall()) {
  const edge = { from, rule: messages, toId: idOf(toId) };
  return fixture.store.putEdge(edge, { timeMs, data: data === null ? null : Buffer.from(data) }, call);
}

function remove(from: ObjectKey, toId: string, call = newCall()) {
  return fixture.store.deleteEdge({ from, rule: messages, toId: idOf(toId) }, call);
}

async function list(from: ObjectKey, want: Partial<Want> = {}): Promise<readonly StoredEdge[]> {
  const wanted = { ...EVERYTHING, ...want };
  return (await servedBy(fixture.store.listEdges({ from, rule: messages }, wanted, newCall()))).edges;
}

async function targets(from: ObjectKey, want: Partial<Want> = {}): Promise<string[]> {
  return (await list(from, want)).map((edge) => edge.toId);
}

function pageAfter(from: ObjectKey, afterS: string | null, limit: number) {
  return servedBy(fixture.store.listEdges({ from, rule: messages }, { ...EVERYTHING, limit, afterS }, newCall()));
}

const count = (from: ObjectKey, rule: EdgeRule = messages) =>
  servedBy(fixture.store.countEdges({ from, rule }, newCall()));

async function dataOf(edge: StoredEdge | undefined): Promise<string | null> {
  if (!edge?.data) return null;
  const opened = await fixture.content.open(edge.binding, edge.data);
  if (isDenial(opened)) throw new Error(opened.code);
  return Buffer.from(opened).toString();
}

function getMany(from: ObjectKey, toIds: readonly string[], bounds: { afterMs?: number; beforeMs?: number } = {}) {
  const want = { toIds: toIds.map(idOf), afterMs: bounds.afterMs ?? null, beforeMs: bounds.beforeMs ?? null };
  return servedBy(fixture.store.getEdges({ from, rule: messages }, want, newCall()));
}

describe('edge.put', () => {
  it('of an edge that is there overwrites its data and moves its order; the count stays (T1)', async () => {
    const from = keyOf('Conversation', 't1');
    expect(await servedBy(put(from, 'a', 10, 'first'))).toMatchObject({ created: true, timeMs: 10 });
    await servedBy(put(from, 'b', 20));
    expect(await targets(from)).toEqual(['b', 'a']);
    expect(await servedBy(put(from, 'a', 30, 'second'))).toMatchObject({ created: false, timeMs: 30 });
    expect(await targets(from)).toEqual(['a', 'b']);
    expect(await dataOf((await list(from))[0])).toBe('second');
    expect(await count(from)).toBe(2);
  });

  it('is refused at maxEdges, while overwriting and putting after a delete go on', async () => {
    const from = keyOf('Conversation', 'limit');
    const rule = { ...messages, maxEdges: 2 };
    const putLimited = (toId: string) =>
      codeOf(fixture.store.putEdge({ from, rule, toId: idOf(toId) }, { timeMs: 1, data: null }, newCall()));
    expect([await putLimited('a'), await putLimited('b'), await putLimited('c')]).toEqual([
      'served',
      'served',
      'limit_exceeded',
    ]);
    expect(await putLimited('b')).toBe('served');
    await servedBy(remove(from, 'a'));
    expect([await putLimited('c'), await putLimited('a')]).toEqual(['served', 'limit_exceeded']);
    expect(await count(from)).toBe(2);
  });

  it('never lets concurrent puts pass maxEdges', async () => {
    const from = keyOf('Conversation', 'limit-race');
    const rule = { ...messages, maxEdges: 5 };
    const stores = [fixture.store, fixture.another(), fixture.another()];
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const edge = { from, rule, toId: idOf(`m${index}`) };
        return codeOf((stores[index % 3] ?? fixture.store).putEdge(edge, { timeMs: 1, data: null }, newCall()));
      }),
    );
    expect(codes.filter((code) => code === 'served')).toHaveLength(5);
    expect(codes.filter((code) => code === 'limit_exceeded')).toHaveLength(25);
    expect([await count(from), (await targets(from)).length]).toEqual([5, 5]);
  });

  it('keeps its revision growing across delete and put', async () => {
    const from = keyOf('Conversation', 'revisions');
    const first = await servedBy(put(from, 'a', 1));
    await servedBy(remove(from, 'a'));
    const again = await servedBy(put(from, 'a', 1));
    expect(again.created).toBe(true);
    // The tombstone between them has a revision too.
    expect(again.r).toBeGreaterThan(first.r + 1);
    const [found] = await getMany(from, ['a']);
    expect(found?.r).toBe(again.r);
  });

  it('is one request when the edge is new', async () => {
    const from = keyOf('Conversation', 'cost');
    await servedBy(put(from, 'first', 1));
    const call = newCall();
    await servedBy(put(from, 'second', 1, 'data', call));
    expect(call.attempts.map((attempt) => attempt.status)).toEqual([200]);
  });
});

describe('edge.delete', () => {
  it('of a missing edge changes nothing (T2)', async () => {
    const from = keyOf('Conversation', 't2');
    expect(await servedBy(remove(from, 'a'))).toEqual({ deleted: false });
    expect(await count(from)).toBe(0);
    await servedBy(put(from, 'a', 1));
    expect(await servedBy(remove(from, 'a'))).toEqual({ deleted: true });
    expect(await servedBy(remove(from, 'a'))).toEqual({ deleted: false });
    expect([await count(from), await targets(from)]).toEqual([0, []]);
  });

  it('takes the edge out of lists, of edge.get and of the count at once', async () => {
    const from = keyOf('Conversation', 'deleted');
    for (const toId of ['a', 'b', 'c']) await servedBy(put(from, toId, 5));
    await servedBy(remove(from, 'b'));
    expect((await targets(from)).toSorted()).toEqual(['a', 'c']);
    expect((await getMany(from, ['a', 'b', 'c'])).map((edge) => edge.toId)).toEqual(['a', 'c']);
    expect(await getMany(from, ['b'])).toEqual([]);
    expect(await count(from)).toBe(2);
  });
});

describe('edge.get', () => {
  it('honours the ids and the inclusive time bounds, in the order asked for (T5)', async () => {
    const from = keyOf('Conversation', 't5');
    for (const [toId, timeMs] of [
      ['a', 10],
      ['b', 20],
      ['c', 30],
      ['d', 40],
    ] as const)
      await servedBy(put(from, toId, timeMs));
    const ids = async (toIds: string[], bounds = {}) => (await getMany(from, toIds, bounds)).map((edge) => edge.toId);
    expect(await ids(['d', 'a', 'nobody', 'c'])).toEqual(['d', 'a', 'c']);
    expect(await ids(['a', 'b', 'c', 'd'], { afterMs: 20, beforeMs: 30 })).toEqual(['b', 'c']);
    expect(await ids(['a', 'd'], { afterMs: 20, beforeMs: 30 })).toEqual([]);
    expect(await ids(['b'], { afterMs: 21 })).toEqual([]);
    expect(await ids(['b'], { afterMs: 20, beforeMs: 20 })).toEqual(['b']);
    expect(await ids([])).toEqual([]);
  });

  it('of a hundred ids is one query beside the head', async () => {
    const from = keyOf('Conversation', 'many');
    await servedBy(put(from, 'id/7', 1, 'seven'));
    const call = newCall();
    const toIds = Array.from({ length: 100 }, (_, index) => idOf(`id/${index}`));
    const want = { toIds, afterMs: null, beforeMs: null };
    const found = await servedBy(fixture.store.getEdges({ from, rule: messages }, want, call));
    expect(found.map((edge) => edge.toId)).toEqual(['id/7']);
    expect(await dataOf(found[0])).toBe('seven');
    expect(call.attempts).toHaveLength(2);
  });
});

describe('edge.list', () => {
  it('is newest first within inclusive bounds, also at the ends of time', async () => {
    const from = keyOf('Conversation', 'bounds');
    const times = { old: 0, one: 1, mid: 1_700_000_000_000, next: 1_700_000_000_001, last: 8.64e15 };
    for (const [toId, timeMs] of Object.entries(times)) await servedBy(put(from, toId, timeMs));
    expect(await targets(from)).toEqual(['last', 'next', 'mid', 'one', 'old']);
    expect(await targets(from, { afterMs: 1, beforeMs: 1_700_000_000_000 })).toEqual(['mid', 'one']);
    expect(await targets(from, { afterMs: 8.64e15 })).toEqual(['last']);
    expect(await targets(from, { beforeMs: 0 })).toEqual(['old']);
    expect(await targets(from, { afterMs: 2, beforeMs: 1 })).toEqual([]);
  });

  it('keeps types and objects apart whose names begin alike', async () => {
    const from = keyOf('Conversation', 'apart');
    const longer: EdgeRule = { ...messages, edgeType: EdgeTypeName.parse('messagesOld') };
    await servedBy(put(from, 'a', 1));
    await servedBy(put(keyOf('Conversation', 'apart2'), 'b', 1));
    await servedBy(
      fixture.store.putEdge({ from, rule: longer, toId: idOf('c') }, { timeMs: 1, data: null }, newCall()),
    );
    expect(await targets(from)).toEqual(['a']);
    expect([await count(from), await count(from, longer)]).toEqual([1, 1]);
  });

  it('walked by cursor meets each of 2,000 edges of equal times exactly once (T6)', async () => {
    const from = keyOf('Conversation', 't6');
    const all = Array.from({ length: 2_000 }, (_, index) => `m${index}`);
    // Two times for all of them: order within a time is by the tie alone.
    await inGroups(all, 40, (toId, index) => servedBy(put(from, toId, 1_000 + (index % 2))));
    const seen: string[] = [];
    let afterS: string | null = null;
    let pages = 0;
    for (let more = true; more; pages += 1) {
      const page = await pageAfter(from, afterS, 150);
      seen.push(...page.edges.map((edge) => edge.toId));
      afterS = page.edges.at(-1)?.s ?? null;
      more = page.more;
      // Edges that come and go during the walk must not disturb it.
      await servedBy(put(from, `added-${pages}`, 1_000));
      if (pages > 0) await servedBy(remove(from, `added-${pages - 1}`));
    }
    const lasting = seen.filter((toId) => !toId.startsWith('added'));
    expect(pages).toBeGreaterThanOrEqual(14);
    expect(lasting).toHaveLength(2_000);
    expect(new Set(lasting)).toEqual(new Set(all));
    expect(await count(from)).toBe(2_001);
  });

  it('says whether there is more, to the edge', async () => {
    const from = keyOf('Conversation', 'more');
    for (const toId of ['a', 'b', 'c']) await servedBy(put(from, toId, 1));
    const more = async (limit: number) =>
      (await servedBy(fixture.store.listEdges({ from, rule: messages }, { ...EVERYTHING, limit }, newCall()))).more;
    expect([await more(2), await more(3), await more(4)]).toEqual([true, false, false]);
  });

  it('is read to its end when a page passes what Cosmos puts in one reply', async () => {
    const from = keyOf('Conversation', 'fat');
    const data = Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7919) % 251));
    const all = Array.from({ length: 900 }, (_, index) => `m${index}`);
    await inGroups(all, 40, (toId) => {
      const edge = { from, rule: messages, toId: idOf(toId) };
      return servedBy(fixture.store.putEdge(edge, { timeMs: 1, data }, newCall()));
    });
    expect(new Set(await targets(from)).size).toBe(900);
  });
});

describe('a keyed edge write', () => {
  it('repeated answers the stored outcome, also when it was a no-op and also after others wrote (T13)', async () => {
    const from = keyOf('Conversation', 't13');
    const noop = await servedBy(remove(from, 'a', newCall(keyed('delete-nothing'))));
    const added = await servedBy(put(from, 'a', 5, null, newCall(keyed('put-a'))));
    expect(noop).toEqual({ deleted: false });
    expect(await servedBy(remove(from, 'a', newCall(keyed('delete-nothing'))))).toEqual(noop);
    expect(await targets(from)).toEqual(['a']);
    await servedBy(remove(from, 'a'));
    expect(await servedBy(put(from, 'a', 5, null, newCall(keyed('put-a'))))).toEqual(added);
    expect([await targets(from), await count(from)]).toEqual([[], 0]);
    expect(await codeOf(put(from, 'a', 6, null, newCall(keyed('put-a', 'other'))))).toBe('idempotency_conflict');
  });

  it('that deleted answers the same after another put the edge back', async () => {
    const from = keyOf('Conversation', 't13-delete');
    await servedBy(put(from, 'a', 1));
    const deleted = await servedBy(remove(from, 'a', newCall(keyed('delete-a'))));
    await servedBy(put(from, 'a', 2));
    expect(await servedBy(remove(from, 'a', newCall(keyed('delete-a'))))).toEqual(deleted);
    expect(await targets(from)).toEqual(['a']);
  });
});

async function inGroups(all: readonly string[], size: number, run: (id: string, index: number) => Promise<unknown>) {
  for (let at = 0; at < all.length; at += size) {
    await Promise.all(all.slice(at, at + size).map((id, offset) => run(id, at + offset)));
  }
}
