import type { Action, Consistency, Entry, ObjectHistory, Outcome, Reply, SeenEdge } from './history.ts';

/** Histories as tests write them down: each entry its moments of call and end, what it asked and what it was told. */
const edgeTypes = {
  messages: { cardinality: 'many', maxEdges: 3 },
  pinned: { cardinality: 'one', maxEdges: 1 },
} as const;

type Span = readonly [number, number];
type More = Partial<Pick<Entry, 'client' | 'consistency' | 'carries' | 'process'>>;

export function entry(span: Span, action: Action, outcome: Outcome, more: More = {}): Omit<Entry, 'id'> {
  const [calledAt, endedAt] = span;
  const base = { client: 0, object: 'o', consistency: 'critical' as Consistency, key: null, carries: false };
  return { ...base, process: 'gw-a/1', tries: 1, ...more, action, outcome, calledAt, endedAt };
}

export const done = (reply: Reply): Outcome => ({ kind: 'done', reply });
export const refused = (code: string): Outcome => ({ kind: 'refused', code });
export const unknown: Outcome = { kind: 'unknown', why: 'the connection broke' };

export const put = (
  span: Span,
  mark: string,
  outcome: Outcome,
  more: More & { ifMatch?: string; ifAbsent?: true } = {},
) => {
  const { ifMatch, ifAbsent, ...rest } = more;
  const conditions = { ...(ifMatch === undefined ? {} : { ifMatch }), ...(ifAbsent === undefined ? {} : { ifAbsent }) };
  return entry(span, { op: 'object.put', mark, ...conditions }, outcome, rest);
};
export const get = (span: Span, seen: string | null, more: More = {}) => {
  const [mark = '', version = ''] = seen?.split('@') ?? [];
  return entry(span, { op: 'object.get' }, done({ object: seen === null ? null : { mark, version } }), more);
};
export const remove = (span: Span, outcome: Outcome) => entry(span, { op: 'object.delete' }, outcome);
export const link = (span: Span, to: string, outcome: Outcome, type = 'messages') =>
  entry(span, { op: 'edge.put', type, to, mark: `${to}-${span[0]}`, timeMs: 1_000 - span[0] }, outcome);
export const unlink = (span: Span, to: string, outcome: Outcome) =>
  entry(span, { op: 'edge.delete', type: 'messages', to }, outcome);
export const count = (span: Span, n: number, more: More = {}) =>
  entry(span, { op: 'edge.count', type: 'messages' }, done({ count: n }), more);
/** Edges as `target@call of the put@version`. */
export const list = (span: Span, edges: readonly string[], type = 'messages') =>
  entry(span, { op: 'edge.list', type }, done({ edges: edges.map(edgeOf) }));

export function edgeOf(text: string): SeenEdge {
  const [to = '', calledAt = '', version = ''] = text.split('@');
  return { to, mark: `${to}-${calledAt}`, timeMs: 1_000 - Number(calledAt), version };
}

export const made = (version: string) => done({ version, created: true });
export const replaced = (version: string) => done({ version, created: false });
export const move = (span: Span, to: string, outcome: Outcome) =>
  entry(span, { op: 'edge.changeType', type: 'messages', to, into: 'pinned' }, outcome);
export const moveBack = (span: Span, to: string, outcome: Outcome) =>
  entry(span, { op: 'edge.changeType', type: 'pinned', to, into: 'messages' }, outcome);
export const moved = (version: string, isReplaced = false) => done({ version, replaced: isReplaced });
/** Puts the object with the first mark, and an edge to the second. */
export const commit = (span: Span, [mark, to]: readonly [string, string], outcome: Outcome) => {
  const edge = { op: 'edge.put', type: 'messages', to, mark: `${to}-${span[0]}`, timeMs: 1_000 - span[0] } as const;
  return entry(span, { op: 'commit', parts: [{ op: 'object.put', mark }, edge] }, outcome);
};
export const deleted = done({ deleted: true });
export const nothing = done({ deleted: false });

export function historyOf(entries: readonly Omit<Entry, 'id'>[], home: string | null = null): ObjectHistory {
  return {
    object: 'o',
    home,
    prefix: '',
    edgeTypes,
    entries: entries.map((one, index) => ({ ...one, id: index + 1 })),
  };
}
