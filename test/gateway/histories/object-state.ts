import { createHash } from 'node:crypto';
import type { Action, CommitPart, EdgeShape, Reply, SeenEdge } from './history.ts';

/** What a write left; `revision` is null while nothing tells it. */
export interface Left {
  readonly mark: string;
  readonly revision: number | null;
}

export interface LeftEdge extends Left {
  readonly type: string;
  readonly to: string;
  readonly timeMs: number;
  /** What orders edges of equal times. */
  readonly tie: string;
}

/** An object and its edges as Habitat promises them: one state that each operation reads or moves at one moment. */
export interface ObjectState {
  readonly object: Left | null;
  /** By edge type and target. */
  readonly edges: ReadonlyMap<string, LeftEdge>;
}

export const NOTHING: ObjectState = { object: null, edges: new Map() };

/** The same for states that no operation tells apart: a mark says when its edge was, and its revision how it came there. */
export function keyOfState({ object, edges }: ObjectState): string {
  const marks = [...edges.values()].map(({ type, to, mark, revision }) => `${type} ${to} ${mark} ${revision}`);
  return `${object?.mark} ${object?.revision}\n${marks.sort().join('\n')}`;
}

type EdgeTypes = Readonly<Record<string, EdgeShape>>;

export interface Means {
  readonly edgeTypes: EdgeTypes;
  readonly reply: Reply | null;
  /** Those of what each part of the action leaves, where they are known. */
  readonly revisions: readonly (number | null)[];
  /** A target's id in Habitat. */
  readonly idOf: (name: string) => string;
}

/**
 * The state after an action whose reply was this; null when the reply is wrong in this state. Without a reply (an unknown
 * outcome) whatever would have been replied is right.
 */
export function applyAction(state: ObjectState, action: Action, means: Means): ObjectState | null {
  const { reply, edgeTypes, idOf } = means;
  const revision = means.revisions[0] ?? null;
  switch (action.op) {
    case 'commit':
      return commit(state, action.parts, means);
    case 'target.delete':
      // It is told apart into what it may do to each edge.
      return state;
    case 'object.put':
      return putObject(state, action, { reply, revision });
    case 'object.delete':
      if (action.ifMatch !== undefined && !hasVersion(state.object, action.ifMatch)) return null;
      if (reply !== null && reply.deleted !== (state.object !== null)) return null;
      return state.object === null && state.edges.size === 0 ? state : NOTHING;
    case 'object.get':
      return isSame(state.object, reply?.object ?? null) ? state : null;
    case 'edge.put':
      return putEdge(state, action, {
        reply,
        revision,
        shape: shapeOf(edgeTypes, action.type),
        tie: tieOf(idOf(action.to)),
      });
    case 'edge.delete': {
      const edge = state.edges.get(keyOf(action));
      if (reply !== null && reply.deleted !== (edge !== undefined)) return null;
      return edge === undefined ? state : without(state, [edge]);
    }
    case 'edge.changeType':
      return changeType(state, action, { reply, revision, shape: shapeOf(edgeTypes, action.into) });
    case 'edge.get': {
      const found = action.to.flatMap((to) => state.edges.get(keyOf({ type: action.type, to })) ?? []);
      return isSameList(found, reply?.edges ?? []) ? state : null;
    }
    case 'edge.count':
      return edgesOf(state, action.type).length === reply?.count ? state : null;
    case 'edge.list':
      return isSameList(edgesOf(state, action.type).sort(newestFirst), reply?.edges ?? []) ? state : null;
    default:
      return action satisfies never;
  }
}

function commit(state: ObjectState, parts: readonly CommitPart[], means: Means): ObjectState | null {
  let next: ObjectState | null = state;
  for (const [index, part] of parts.entries()) {
    if (next === null) return null;
    const reply = means.reply === null ? null : (means.reply.parts?.[index] ?? {});
    next = applyAction(next, part, { ...means, reply, revisions: [means.revisions[index] ?? null] });
  }
  return next;
}

interface Refused {
  readonly edgeTypes: EdgeTypes;
  readonly code: string;
  readonly idOf: (name: string) => string;
}

/** Whether a write could be refused with this code in this state; true for codes that say nothing of the state. */
export function mayRefuse(state: ObjectState, action: Action, means: Refused): boolean {
  const { edgeTypes, code } = means;
  if (action.op === 'commit') {
    // Each part meets what the parts before it leave.
    let met: ObjectState | null = state;
    for (const part of action.parts) {
      if (met === null || mayRefuse(met, part, means)) return true;
      met = applyAction(met, part, { ...means, reply: null, revisions: [null] });
    }
    return met === null;
  }
  if (code === 'version_conflict') return 'ifMatch' in action && !hasVersion(state.object, action.ifMatch);
  if (code === 'already_exists') return state.object !== null;
  if (code === 'edge_not_found') return 'into' in action && !state.edges.has(keyOf(action));
  if (code !== 'limit_exceeded' || !('type' in action)) return true;
  const type = 'into' in action ? action.into : action.type;
  return edgesOf(state, type).length >= shapeOf(edgeTypes, type).maxEdges;
}

export function revisionOf(version: string): number {
  return Number.parseInt(version, 36);
}

interface Told {
  readonly reply: Reply | null;
  readonly revision: number | null;
}

function putObject(
  state: ObjectState,
  action: Extract<Action, { op: 'object.put' }>,
  { reply, revision }: Told,
): ObjectState | null {
  const { mark, ifMatch, ifAbsent } = action;
  if (ifAbsent && state.object !== null) return null;
  if (ifMatch !== undefined && !hasVersion(state.object, ifMatch)) return null;
  if (reply !== null && reply.created !== (state.object === null)) return null;
  return { ...state, object: { mark, revision } };
}

function putEdge(
  state: ObjectState,
  action: Extract<Action, { op: 'edge.put' }>,
  { reply, revision, shape, tie }: Told & { readonly shape: EdgeShape; readonly tie: string },
): ObjectState | null {
  const { type, to, mark, timeMs } = action;
  if (reply !== null && reply.created === state.edges.has(keyOf(action))) return null;
  return withEdge(state, { type, to, mark, timeMs, revision, tie }, shape);
}

function changeType(
  state: ObjectState,
  action: Extract<Action, { op: 'edge.changeType' }>,
  { reply, revision, shape }: Told & { readonly shape: EdgeShape },
): ObjectState | null {
  const { to, into } = action;
  const edge = state.edges.get(keyOf(action));
  // An unknown one may have found nothing.
  if (edge === undefined) return reply === null ? state : null;
  const moved = { ...edge, type: into, revision };
  if (reply !== null && reply.replaced !== state.edges.has(keyOf({ type: into, to }))) return null;
  return withEdge(without(state, [edge]), moved, shape);
}

/** Null when the type's limit is reached. */
function withEdge(state: ObjectState, edge: LeftEdge, shape: EdgeShape): ObjectState | null {
  const ofType = edgesOf(state, edge.type);
  const others = shape.cardinality === 'one' ? ofType.filter(({ to }) => to !== edge.to) : [];
  const grows = others.length === 0 && !state.edges.has(keyOf(edge));
  if (grows && ofType.length >= shape.maxEdges) return null;
  const edges = new Map(without(state, others).edges);
  edges.set(keyOf(edge), edge);
  return { ...state, edges };
}

function without(state: ObjectState, gone: readonly LeftEdge[]): ObjectState {
  const edges = new Map(state.edges);
  for (const edge of gone) edges.delete(keyOf(edge));
  return { ...state, edges };
}

function edgesOf(state: ObjectState, type: string): LeftEdge[] {
  return [...state.edges.values()].filter((edge) => edge.type === type);
}

function keyOf({ type, to }: { readonly type: string; readonly to: string }): string {
  return `${type} ${to}`;
}

function shapeOf(edgeTypes: EdgeTypes, type: string): EdgeShape {
  const shape = edgeTypes[type];
  if (shape === undefined) throw new Error(`The history does not say what ${type} is.`);
  return shape;
}

function hasVersion(object: Left | null, version: string | undefined): boolean {
  return version !== undefined && object !== null && object.revision === revisionOf(version);
}

function isSame(left: Left | null, seen: { readonly mark: string; readonly version: string } | null): boolean {
  if (left === null || seen === null) return left === null && seen === null;
  return left.mark === seen.mark && (left.revision === null || left.revision === revisionOf(seen.version));
}

function isSameList(left: readonly LeftEdge[], seen: readonly SeenEdge[]): boolean {
  if (left.length !== seen.length) return false;
  return left.every((edge, index) => {
    const other = seen[index];
    return other !== undefined && edge.to === other.to && edge.timeMs === other.timeMs && isSame(edge, other);
  });
}

/** The order that edge.list promises; equal times by the first 16 bytes of SHA-256 of the target. */
function newestFirst(a: LeftEdge, b: LeftEdge): number {
  if (a.timeMs !== b.timeMs) return b.timeMs - a.timeMs;
  return a.tie < b.tie ? -1 : 1;
}

function tieOf(id: string): string {
  return createHash('sha256').update(id).digest().subarray(0, 16).toString('base64url');
}
