import type { ObjectHistory } from './history.ts';
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
const WITH_A_MOVE = [link([1, 2], 'x', made('1')), move([3, 4], 'x', moved('2')), count([5, 6], 0)];

/** What no right Habitat answers, by what is wrong. */
export const WRONG: Record<string, ObjectHistory> = {
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
  'two writes of one edge left the same version': historyOf([
    link([1, 2], 'x', made('1')),
    unlink([3, 4], 'x', deleted),
    link([5, 6], 'x', made('1')),
  ]),
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
