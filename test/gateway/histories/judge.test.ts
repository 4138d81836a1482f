import { describe, expect, it } from 'vitest';
import type { Action, Consistency, Entry, ObjectHistory, Outcome, Reply, SeenEdge } from './history.ts';
import { judge } from './judge.ts';
import { printHistory } from './print.ts';
import { shrink } from './shrink.ts';

const edgeTypes = {
  messages: { cardinality: 'many', maxEdges: 3 },
  pinned: { cardinality: 'one', maxEdges: 1 },
} as const;

type Span = readonly [number, number];
type More = Partial<Pick<Entry, 'client' | 'consistency' | 'carries' | 'process'>>;

function entry(span: Span, action: Action, outcome: Outcome, more: More = {}): Omit<Entry, 'id'> {
  const [calledAt, endedAt] = span;
  const base = { client: 0, object: 'o', consistency: 'critical' as Consistency, key: null, carries: false };
  return { ...base, process: 'gw-a/1', tries: 1, ...more, action, outcome, calledAt, endedAt };
}

const done = (reply: Reply): Outcome => ({ kind: 'done', reply });
const refused = (code: string): Outcome => ({ kind: 'refused', code });
const unknown: Outcome = { kind: 'unknown', why: 'the connection broke' };

const put = (span: Span, mark: string, outcome: Outcome, more: More & { ifMatch?: string; ifAbsent?: true } = {}) => {
  const { ifMatch, ifAbsent, ...rest } = more;
  const conditions = { ...(ifMatch === undefined ? {} : { ifMatch }), ...(ifAbsent === undefined ? {} : { ifAbsent }) };
  return entry(span, { op: 'object.put', mark, ...conditions }, outcome, rest);
};
const get = (span: Span, seen: string | null, more: More = {}) => {
  const [mark = '', version = ''] = seen?.split('@') ?? [];
  return entry(span, { op: 'object.get' }, done({ object: seen === null ? null : { mark, version } }), more);
};
const remove = (span: Span, outcome: Outcome) => entry(span, { op: 'object.delete' }, outcome);
const link = (span: Span, to: string, outcome: Outcome, type = 'messages') =>
  entry(span, { op: 'edge.put', type, to, mark: `${to}-${span[0]}`, timeMs: 1_000 - span[0] }, outcome);
const unlink = (span: Span, to: string, outcome: Outcome) =>
  entry(span, { op: 'edge.delete', type: 'messages', to }, outcome);
const count = (span: Span, n: number, more: More = {}) =>
  entry(span, { op: 'edge.count', type: 'messages' }, done({ count: n }), more);
/** Edges as `target@call of the put@version`. */
const list = (span: Span, edges: readonly string[], type = 'messages') =>
  entry(span, { op: 'edge.list', type }, done({ edges: edges.map(edgeOf) }));

function edgeOf(text: string): SeenEdge {
  const [to = '', calledAt = '', version = ''] = text.split('@');
  return { to, mark: `${to}-${calledAt}`, timeMs: 1_000 - Number(calledAt), version };
}

const made = (version: string) => done({ version, created: true });
const replaced = (version: string) => done({ version, created: false });
const move = (span: Span, to: string, outcome: Outcome) =>
  entry(span, { op: 'edge.changeType', type: 'messages', to, into: 'pinned' }, outcome);
const moved = (version: string, isReplaced = false) => done({ version, replaced: isReplaced });
/** Puts the object with the first mark, and an edge to the second. */
const commit = (span: Span, [mark, to]: readonly [string, string], outcome: Outcome) => {
  const edge = { op: 'edge.put', type: 'messages', to, mark: `${to}-${span[0]}`, timeMs: 1_000 - span[0] } as const;
  return entry(span, { op: 'commit', parts: [{ op: 'object.put', mark }, edge] }, outcome);
};
const deleted = done({ deleted: true });
const nothing = done({ deleted: false });

function historyOf(entries: readonly Omit<Entry, 'id'>[], home: string | null = null): ObjectHistory {
  return {
    object: 'o',
    home,
    prefix: '',
    edgeTypes,
    entries: entries.map((one, index) => ({ ...one, id: index + 1 })),
  };
}

const session = { consistency: 'session', carries: true } as const;
const eventual = { consistency: 'eventual' } as const;

const RIGHT: Record<string, ObjectHistory> = {
  'a read beside a write sees either state': historyOf([
    put([1, 2], 'a', made('1')),
    put([3, 8], 'b', replaced('2')),
    get([4, 5], 'a@1'),
    get([6, 7], 'b@2'),
  ]),
  'an unknown write takes effect long after its end': historyOf([
    put([1, 2], 'a', made('1')),
    put([3, 4], 'b', unknown),
    get([5, 6], 'a@1'),
    get([7, 8], 'b@2'),
    get([9, 10], 'b@2'),
  ]),
  'an unknown write never takes effect': historyOf([link([1, 2], 'x', unknown), count([3, 4], 0), count([5, 6], 0)]),
  'an unknown delete that nobody else explains': historyOf([
    link([1, 2], 'x', made('1')),
    unlink([3, 4], 'x', unknown),
    count([5, 6], 1),
    count([7, 8], 0),
    link([9, 10], 'x', made('2')),
  ]),
  'a delete takes the edges along': historyOf([
    put([1, 2], 'a', made('1')),
    link([3, 4], 'x', made('1')),
    remove([5, 6], deleted),
    get([7, 8], null),
    list([9, 10], []),
    count([11, 12], 0),
  ]),
  'a carried session shows what its client wrote, and others lag': historyOf([
    put([1, 2], 'a', made('1'), { client: 1 }),
    put([3, 4], 'b', replaced('2'), { client: 1 }),
    get([5, 6], 'a@1', { ...session, client: 2 }),
    get([7, 8], 'b@2', { ...session, client: 1 }),
    get([9, 10], 'a@1', eventual),
  ]),
  'a home gateway that was started anew may be behind until it writes': historyOf(
    [
      put([1, 2], 'a', made('1')),
      put([3, 4], 'b', replaced('2')),
      get([5, 6], 'a@1', { consistency: 'session', process: 'gw-a/2' }),
      put([7, 8], 'c', replaced('3'), { process: 'gw-a/2' }),
      get([9, 10], 'c@3', { consistency: 'session', process: 'gw-a/2' }),
    ],
    'gw-a',
  ),
  'an edge that changes its type keeps time and data, and takes the place of a single edge': historyOf([
    link([1, 2], 'x', made('1')),
    link([3, 4], 'y', made('1'), 'pinned'),
    move([5, 6], 'x', moved('2')),
    list([7, 8], ['x@1@2'], 'pinned'),
    count([9, 10], 0),
    move([11, 12], 'x', refused('edge_not_found')),
  ]),
  'a commit is one moment, seen before or after all of it': historyOf([
    commit(
      [1, 6],
      ['a', 'x'],
      done({
        parts: [
          { version: '1', created: true },
          { version: '1', created: true },
        ],
      }),
    ),
    get([2, 3], null),
    count([4, 5], 0),
    get([7, 8], 'a@1'),
    count([9, 10], 1),
  ]),
  'a commit whose outcome is unknown, and one that was refused as a whole': historyOf([
    commit([1, 2], ['a', 'x'], unknown),
    commit([3, 4], ['b', 'y'], refused('store_unavailable')),
    count([5, 6], 0),
    get([7, 8], 'a@1'),
    count([9, 10], 1),
  ]),
  'a commit that one edge too many refuses': historyOf([
    link([1, 2], 'x', made('1')),
    link([3, 4], 'y', made('1')),
    link([5, 6], 'z', made('1')),
    commit([7, 8], ['a', 'w'], refused('limit_exceeded')),
    get([9, 10], null),
  ]),
  'a move whose outcome is unknown': historyOf([
    link([1, 2], 'x', made('1')),
    move([3, 4], 'x', unknown),
    count([5, 6], 1),
    list([7, 8], ['x@1@9'], 'pinned'),
    count([9, 10], 0),
  ]),
  'newest first, one target of a single edge, and a limit that was reached': historyOf([
    link([1, 2], 'x', made('1')),
    link([3, 4], 'y', made('1')),
    link([5, 6], 'z', made('1')),
    link([7, 8], 'w', refused('limit_exceeded')),
    list([9, 10], ['x@1@1', 'y@3@1', 'z@5@1']),
    link([11, 12], 'x', made('1'), 'pinned'),
    link([13, 14], 'y', made('2'), 'pinned'),
    list([15, 16], ['y@13@2'], 'pinned'),
  ]),
};

const WITH_A_MOVE = [link([1, 2], 'x', made('1')), move([3, 4], 'x', moved('2')), count([5, 6], 0)];

const WRONG: Record<string, ObjectHistory> = {
  'a critical read goes back': historyOf([
    put([1, 2], 'a', made('1')),
    put([3, 8], 'b', replaced('2')),
    get([4, 5], 'b@2'),
    get([6, 7], 'a@1'),
  ]),
  'half of a commit is seen': historyOf([
    commit(
      [1, 8],
      ['a', 'x'],
      done({
        parts: [
          { version: '1', created: true },
          { version: '1', created: true },
        ],
      }),
    ),
    get([2, 3], 'a@1'),
    count([4, 5], 0),
  ]),
  'half of an unknown commit took effect': historyOf([
    commit([1, 2], ['a', 'x'], unknown),
    get([3, 4], 'a@1'),
    count([5, 6], 0),
  ]),
  'a refused commit left its object': historyOf([
    commit([1, 2], ['a', 'x'], refused('limit_exceeded')),
    get([3, 4], 'a@1'),
  ]),
  'an acknowledged write is lost': historyOf([link([1, 2], 'x', made('1')), count([3, 4], 0)]),
  'a write is applied twice': historyOf([link([1, 2], 'x', made('1')), link([3, 4], 'y', made('1')), count([5, 6], 3)]),
  'a refused write took effect': historyOf([
    put([1, 2], 'a', made('1')),
    put([3, 4], 'b', refused('store_unavailable')),
    get([5, 6], 'b@2'),
  ]),
  'a write is seen before it was called': historyOf([get([1, 2], 'a@1'), put([3, 4], 'a', made('1'))]),
  'an unknown write comes, goes and comes again': historyOf([
    link([1, 2], 'x', unknown),
    count([3, 4], 1),
    count([5, 6], 0),
  ]),
  'an edge is moved and stays': historyOf([...WITH_A_MOVE.slice(0, 2), count([5, 6], 1)]),
  'an edge is moved and gone': historyOf([...WITH_A_MOVE, list([7, 8], [], 'pinned')]),
  'an edge that is there is not found by a move': historyOf([
    link([1, 2], 'x', made('1')),
    move([3, 4], 'x', refused('edge_not_found')),
  ]),
  'two clients both made the same edge': historyOf([link([1, 5], 'x', made('1')), link([2, 4], 'x', made('2'))]),
  'count and list disagree': historyOf([
    link([1, 2], 'x', made('1')),
    link([3, 4], 'y', made('1')),
    list([5, 6], ['x@1@1']),
  ]),
  'a list in the wrong order': historyOf([
    link([1, 2], 'x', made('1')),
    link([3, 4], 'y', made('1')),
    list([5, 6], ['y@3@1', 'x@1@1']),
  ]),
  'an edge outlives its object': historyOf([
    put([1, 2], 'a', made('1')),
    link([3, 4], 'x', made('1')),
    remove([5, 6], deleted),
    list([7, 8], ['x@3@1']),
  ]),
  'a delete that found nothing although it was there': historyOf([
    link([1, 2], 'x', made('1')),
    unlink([3, 4], 'x', nothing),
  ]),
  'a single edge has two targets': historyOf([
    link([1, 2], 'x', made('1'), 'pinned'),
    link([3, 4], 'y', made('2'), 'pinned'),
    list([5, 6], ['x@1@1', 'y@3@2'], 'pinned'),
  ]),
  'a limit was passed': historyOf(
    ['x', 'y', 'z', 'w'].map((to, index) => link([2 * index + 1, 2 * index + 2], to, made('1'))),
  ),
  'a refusal for a limit that was not reached': historyOf([link([1, 2], 'x', refused('limit_exceeded'))]),
  'a version conflict with the version that was there': historyOf([
    put([1, 2], 'a', made('1')),
    put([3, 4], 'b', refused('version_conflict'), { ifMatch: '1' }),
  ]),
  'a conditional write over another version': historyOf([
    put([1, 2], 'a', made('1')),
    put([3, 4], 'b', replaced('2')),
    put([5, 6], 'c', replaced('3'), { ifMatch: '1' }),
  ]),
  'two creators of one object': historyOf([
    put([1, 4], 'a', made('1'), { ifAbsent: true }),
    put([2, 3], 'b', made('2'), { ifAbsent: true }),
  ]),
  'a version goes back': historyOf([put([1, 2], 'a', made('5')), put([3, 4], 'b', replaced('4'))]),
  'a state has two versions': historyOf([put([1, 2], 'a', made('1')), get([3, 4], 'a@2')]),
  'a state that nobody wrote': historyOf([get([1, 2], 'ghost@1')]),
  'a carried session does not show what its client wrote': historyOf([
    put([1, 2], 'a', made('1'), { client: 1 }),
    put([3, 4], 'b', replaced('2'), { client: 1 }),
    get([5, 6], 'a@1', { ...session, client: 1 }),
  ]),
  'a carried session goes back': historyOf([
    put([1, 2], 'a', made('1')),
    put([3, 4], 'b', replaced('2')),
    get([5, 6], 'b@2', { ...session, client: 1 }),
    get([7, 8], 'a@1', { ...session, client: 1 }),
  ]),
  'an eventual read mixes two states': historyOf([
    link([1, 2], 'x', made('1')),
    unlink([3, 4], 'x', deleted),
    link([5, 6], 'y', made('1')),
    entry([7, 8], { op: 'edge.list', type: 'messages' }, done({ edges: ['x@1@1', 'y@5@1'].map(edgeOf) }), eventual),
  ]),
  'a home gateway does not show what it wrote': historyOf(
    [
      put([1, 2], 'a', made('1'), { client: 1 }),
      put([3, 4], 'b', replaced('2'), { client: 1 }),
      get([5, 6], 'a@1', { consistency: 'session', client: 2 }),
    ],
    'gw-a',
  ),
};

describe('the judge of histories', () => {
  it.each(Object.entries(RIGHT))('explains: %s', (_, history) => {
    expect(judge(history)).toMatchObject({ kind: 'explained' });
  });

  it.each(Object.entries(WRONG))('rejects: %s', (_, history) => {
    expect(judge(history)).toMatchObject({ kind: 'wrong' });
  });

  it('says so when it gives up, and never that such a history is right', () => {
    const writes = Array.from({ length: 8 }, (_, index) => link([1 + index, 100 + index], `t${index % 3}`, unknown));
    expect(judge(historyOf([...writes, count([200, 201], 2), count([202, 203], 5)]), 10)).toEqual({
      kind: 'undecided',
    });
  });

  it('rejects a history with many unknown writes within its budget', () => {
    const writes = Array.from({ length: 26 }, (_, index) =>
      index % 2 === 0
        ? link([index, index], `t${index % 6}`, unknown)
        : unlink([index, index], `t${index % 5}`, unknown),
    );
    expect(judge(historyOf([...writes, link([50, 51], 'sure', made('1')), list([52, 53], [])]))).toMatchObject({
      kind: 'wrong',
    });
  });

  it('cuts a wrong history down to what makes it wrong, and prints that', () => {
    const noise = Array.from({ length: 20 }, (_, index) => [
      link([10 * index + 1, 10 * index + 2], 'x', index === 0 ? made('1') : replaced(String(index + 1))),
      count([10 * index + 3, 10 * index + 4], 1),
    ]).flat();
    const wrong = [put([301, 302], 'a', made('1')), put([303, 304], 'b', replaced('2')), get([305, 306], 'a@1')];
    const smallest = shrink(
      historyOf([
        ...noise,
        ...wrong,
        ...noise.map((one) => ({ ...one, calledAt: one.calledAt + 500, endedAt: one.endedAt + 500 })),
      ]),
    );
    expect(smallest.entries.map(({ id }) => id)).toEqual([41, 42, 43]);
    expect(printHistory(smallest).split('\n').slice(1)).toEqual([
      '#41 c0 [301, 302] object.put mark=a → created at 1   (gw-a/1; critical)',
      '#42 c0 [303, 304] object.put mark=b → replaced at 2   (gw-a/1; critical)',
      '#43 c0 [305, 306] object.get → a at 1   (gw-a/1; critical)',
    ]);
  });
});
