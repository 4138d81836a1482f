import type { Action, Entry, ObjectHistory, Outcome, Reply } from './history.ts';
import { isWrite, partsOf } from './history.ts';
import { applyAction, NOTHING, type ObjectState } from './object-state.ts';
import type { Random } from './random.ts';
import { historyOf } from './written-history.ts';

const TARGETS = ['x', 'y', 'z'];
const KINDS = { put: 3, remove: 3, link: 8, unlink: 5, move: 3, commit: 2, get: 2, count: 5, list: 5 };

/** A history of a few operations that happened one after another, told with gaps, and often with one lie. */
export function randomHistory(random: Random, most: number): ObjectHistory {
  const states: ObjectState[] = [NOTHING];
  const entries: Omit<Entry, 'id'>[] = [];
  const length = most - random.below(3);
  // How long an operation is on its way: of those that do not overlap few orders are left.
  const spread = random.one([4, 12, 28]);
  const lostPercent = random.one([20, 50, 80]);
  for (let moment = 1; moment <= length; moment += 1) {
    const state = states.at(-1) ?? NOTHING;
    const action = randomAction(random, `m${moment}`);
    const consistency = random.weighted({ critical: 6, session: 2, eventual: 1 });
    const shown = consistency === 'eventual' ? random.one(states) : state;
    const { outcome, next } = isWrite(action)
      ? write(action, { state, moment })
      : { outcome: read(action, shown), next: state };
    const isLost = isWrite(action) && random.chance(lostPercent);
    // What was lost may take effect long after its client gave up.
    const calledAt = 10 * moment - random.below(isLost ? 60 : spread);
    entries.push({
      ...{ client: random.below(3), object: 'o', action, consistency, key: null, carries: random.chance(60) },
      ...{ calledAt, endedAt: isLost ? calledAt + 1 + random.below(9) : 10 * moment + 1 + random.below(spread) },
      ...{ process: 'gw-a/1', tries: 1, outcome: isLost ? { kind: 'unknown', why: 'lost' } : outcome },
    });
    states.push(isLost && random.chance(30) ? state : next);
  }
  const lies = random.weighted({ 0: 2, 1: 4, 2: 4 });
  return historyOf(
    Array.from({ length: Number(lies) }).reduce<typeof entries>((told) => withLie(random, told), entries),
  );
}

function randomAction(random: Random, mark: string): Action {
  const type = random.weighted({ messages: 3, pinned: 2 });
  const to = random.one(TARGETS);
  const link = { op: 'edge.put', type, to, mark, timeMs: random.below(3) } as const;
  switch (random.weighted(KINDS)) {
    case 'put':
      return { op: 'object.put', mark, ...(random.chance(25) ? { ifAbsent: true } : {}) };
    case 'remove':
      return { op: 'object.delete' };
    case 'link':
      return link;
    case 'unlink':
      return { op: 'edge.delete', type, to };
    case 'move':
      return { op: 'edge.changeType', type: 'messages', to, into: 'pinned' };
    case 'commit':
      return {
        op: 'commit',
        parts: [{ op: 'object.put', mark: `${mark}.o` }, random.chance(70) ? link : { op: 'edge.delete', type, to }],
      };
    case 'get':
      return { op: 'object.get' };
    case 'count':
      return { op: 'edge.count', type };
    case 'list':
      return { op: 'edge.list', type };
  }
}

const means = { edgeTypes: historyOf([]).edgeTypes, idOf: (name: string) => name };

/** The one reply that is right in a state, found by trying all that may be. */
function write(
  action: Action,
  { state, moment }: { state: ObjectState; moment: number },
): { outcome: Outcome; next: ObjectState } {
  const revisions = partsOf(action).map(() => moment);
  for (const reply of repliesOf(action, moment.toString(36))) {
    const next = applyAction(state, action, { ...means, reply, revisions });
    if (next !== null) return { outcome: { kind: 'done', reply }, next };
  }
  const code =
    action.op === 'edge.changeType'
      ? 'edge_not_found'
      : action.op === 'object.put'
        ? 'already_exists'
        : 'limit_exceeded';
  return { outcome: { kind: 'refused', code }, next: state };
}

function repliesOf(action: Action, version: string): Reply[] {
  const both = [true, false];
  switch (action.op) {
    case 'commit': {
      const [first = [], second = []] = action.parts.map((part) => repliesOf(part, version));
      return first.flatMap((one) => second.map((other) => ({ parts: [one, other] })));
    }
    case 'object.put':
    case 'edge.put':
      return both.map((created) => ({ version, created }));
    case 'edge.changeType':
      return both.map((replaced) => ({ version, replaced }));
    default:
      return both.map((deleted) => ({ deleted }));
  }
}

function read(action: Action, { object, edges }: ObjectState): Outcome {
  const seen = ({ mark, revision }: { mark: string; revision: number | null }) => ({
    mark,
    version: (revision ?? 0).toString(36),
  });
  if (action.op === 'object.get') return { kind: 'done', reply: { object: object === null ? null : seen(object) } };
  const type = 'type' in action ? action.type : '';
  const found = [...edges.values()]
    .filter((edge) => edge.type === type)
    .sort((a, b) => b.timeMs - a.timeMs || (a.tie < b.tie ? -1 : 1));
  if (action.op === 'edge.count') return { kind: 'done', reply: { count: found.length } };
  return { kind: 'done', reply: { edges: found.map((edge) => ({ to: edge.to, timeMs: edge.timeMs, ...seen(edge) })) } };
}

/** One entry that says something else than what happened, or that happened at another time. */
function withLie(random: Random, entries: readonly Omit<Entry, 'id'>[]): Omit<Entry, 'id'>[] {
  const liar = random.one(entries);
  const other = random.one(entries);
  const lie = {
    ...liar,
    ...(random.chance(50) ? changed(random, liar) : { calledAt: other.calledAt, endedAt: other.endedAt }),
  };
  return entries.map((one) => (one === liar ? lie : one));
}

function changed(random: Random, { action, outcome }: Omit<Entry, 'id'>): Partial<Entry> {
  if (outcome.kind !== 'done') return { outcome: { kind: 'refused', code: 'store_unavailable' } };
  const { reply } = outcome;
  const told = (other: Reply): Partial<Entry> => ({ outcome: { kind: 'done', reply: { ...reply, ...other } } });
  if (reply.count !== undefined) return told({ count: Math.max(0, reply.count + random.one([-1, 1])) });
  if (reply.edges !== undefined)
    return told({ edges: random.chance(50) ? reply.edges.slice(1) : [...reply.edges].reverse() });
  if (reply.object !== undefined) return told({ object: null });
  if (reply.deleted !== undefined) return told({ deleted: !reply.deleted });
  if (reply.version !== undefined && random.chance(40)) return told({ version: random.below(9).toString(36) });
  if (reply.created !== undefined) return told({ created: !reply.created });
  return isWrite(action) ? { outcome: { kind: 'unknown', why: 'lost' } } : {};
}
