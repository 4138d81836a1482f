import { describe, expect, it } from 'vitest';
import type { ObjectHistory } from './history.ts';
import { judge } from './judge.ts';
import {
  commit,
  count,
  deleted,
  done,
  edgeOf,
  entry,
  get,
  historyOf,
  link,
  list,
  made,
  move,
  moved,
  nothing,
  put,
  refused,
  remove,
  replaced,
  unknown,
  unlink,
} from './written-history.ts';

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
});
