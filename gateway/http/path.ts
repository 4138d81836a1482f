import type { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { Mention } from '#gateway/pipeline/request.ts';
import { readId } from './operation-fields.ts';

/** What a path names, before the method says what to do with it. */
export type ApiPath = TypePath | BatchPath | ItemPath;

/** The objects of a type, where new ones are created. */
interface TypePath {
  readonly shape: 'objects';
  readonly tenant: string;
  readonly type: string;
}

interface BatchPath {
  readonly shape: 'batch';
  readonly tenant: string;
}

export type ItemPath = { readonly tenant: string; readonly type: string; readonly id: ObjectId } & (
  | { readonly shape: 'object' }
  | { readonly shape: 'commit' }
  | { readonly shape: 'edges' | 'count'; readonly edgeType: string }
  | { readonly shape: 'edge'; readonly edgeType: string; readonly toId: ObjectId }
  | { readonly shape: 'change'; readonly edgeType: string; readonly toId: ObjectId }
);

const COUNT = ':count';
/** What a POST does to an object or an edge, by the place of its segment. */
const SUFFIXES = [
  { place: 5, suffix: ':commit' },
  { place: 8, suffix: ':changeType' },
] as const;
const MAX_MENTION = 255;

/**
 * Reads `/v1/{tenant}/batch` and `/v1/{tenant}/objects/{type}[/{id}[:commit | /edges/{edgeType}[:count | /{toId}[:changeType]]]]`.
 * The path is cut at its slashes before anything is decoded, so that an id with an encoded slash comes through as it is. A suffix
 * on an id is one only in a POST, where ids carry their colons encoded: else it belongs to the id.
 * Refuses with `malformed_request`, and with `unsupported_operation` and guidance for what Habitat never does.
 */
export function readPath(path: string, method = 'GET'): ApiPath | Denial {
  const { raw, suffix } = cut(path, method);
  const guidance = guidanceFor(raw);
  if (guidance !== null) return deny('unsupported_operation', guidance);
  const [, , tenant, , type, id, , edgeSegment, toId] = raw.map(decodeSegment);
  if (tenant == null) return malformed();
  if (raw[3] === 'batch') return { shape: 'batch', tenant };
  if (type == null) return malformed();
  if (id === undefined) return { tenant, type, shape: 'objects' };
  const from = idOf(id);
  if (isDenial(from)) return from;
  const place = { tenant, type, id: from };
  if (edgeSegment === undefined) return suffix === null ? { ...place, shape: 'object' } : { ...place, shape: 'commit' };
  if (edgeSegment === null) return malformed();
  if (toId !== undefined) {
    const to = idOf(toId);
    if (isDenial(to)) return to;
    const edge = { ...place, edgeType: edgeSegment, toId: to };
    return suffix === null ? { ...edge, shape: 'edge' } : { ...edge, shape: 'change' };
  }
  const isCount = edgeSegment.endsWith(COUNT);
  const edgeType = isCount ? edgeSegment.slice(0, -COUNT.length) : edgeSegment;
  return { ...place, shape: isCount ? 'count' : 'edges', edgeType };
}

/** What a path mentions, for the record of a request; of one that names nothing what it would name. Never fails, never long. */
export function mentionOf(place: ApiPath | Denial, path: string, method = 'GET'): Omit<Mention, 'operation'> {
  if (isDenial(place)) return mentionIn(path, method);
  const { tenant, type, id, edgeType, toId } = { ...NOTHING, ...place };
  return { tenant: keep(tenant), type: keep(type), id: keep(id), edgeType: keep(edgeType), toId: keep(toId) };
}

const NOTHING = { type: null, id: null, edgeType: null, toId: null };

function mentionIn(path: string, method: string): Omit<Mention, 'operation'> {
  const [, , tenant, , type, id, , edgeSegment, toId] = cut(path, method).raw.map(decodeSegment);
  const edgeType = keep(edgeSegment?.endsWith(COUNT) === true ? edgeSegment.slice(0, -COUNT.length) : edgeSegment);
  return { tenant: keep(tenant), type: keep(type), id: keep(id), edgeType, toId: keep(toId) };
}

function keep(text: string | null | undefined): string | null {
  return text == null || text === '' ? null : text.slice(0, MAX_MENTION);
}

/** The segments of a path as they were sent, without the suffix that says what a POST does. */
function cut(path: string, method: string): { readonly raw: readonly string[]; readonly suffix: string | null } {
  const raw = path.split('/');
  const found = SUFFIXES.find(({ place, suffix }) => raw.length === place + 1 && path.endsWith(suffix));
  if (method !== 'POST' || found === undefined) return { raw, suffix: null };
  const { suffix } = found;
  return { raw: path.slice(0, -suffix.length).split('/'), suffix };
}

function idOf(segment: string | null): ObjectId | Denial {
  return segment === null ? malformed() : readId(segment);
}

function malformed(): Denial {
  return deny('malformed_request', 'The path is not valid percent-encoded UTF-8.');
}

/** The decoded segment; null when it does not decode. */
function decodeSegment(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

const API =
  'The API is /v1/{tenant}/batch, /v1/{tenant}/objects/{type}, /v1/{tenant}/objects/{type}/{id}, /v1/{tenant}/objects/{type}/{id}:commit and, below an object, /edges/{edgeType}, /edges/{edgeType}:count, /edges/{edgeType}/{toId} and /edges/{edgeType}/{toId}:changeType.';

/** What to do instead, for paths that are none of the API's; null when the path is one. */
function guidanceFor(raw: readonly string[]): string | null {
  const [root, version, , objects, type, id, edges] = raw;
  if (root !== '' || version !== 'v1') return `Nothing is served here. ${API}`;
  if (objects === 'query' || objects === 'search') {
    return 'There are no queries. Read an object by its id, or list the edges of one object and loop in your code.';
  }
  if (objects === 'batch' && type === undefined) return null;
  if (objects !== 'objects' || type === undefined) return `Nothing is served here. ${API}`;
  if (id === undefined || raw.length === 6) return null;
  if (edges !== 'edges' || raw.length === 7) return `Nothing is served here. ${API}`;
  if (raw.length <= 9) return null;
  return 'One call touches the direct edges of one object. For two hops, list the edges and call again for each target.';
}
