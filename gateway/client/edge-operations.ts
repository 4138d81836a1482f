import type { Catalog, EdgeName, EdgeNameLike, EdgeRef, EdgesRef, Ref, ToOf } from './catalog.ts';
import { objectPath } from './object-operations.ts';
import type { Operation } from './operation.ts';
import type { Edge, EdgeDeleted, EdgeMoved, EdgePage, EdgeWritten } from './replies.ts';

/** Only edges from this time on, or up to this time, epoch milliseconds. */
export interface Bounds {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

export interface ListOptions extends Bounds {
  /** Most edges of the page. 50 unless told. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Edges to pass over, instead of a cursor. */
  readonly pos?: number | undefined;
}

export interface EdgeContent {
  /** Epoch milliseconds, now unless told. */
  readonly time?: number | undefined;
  readonly data?: string | undefined;
}

export interface EdgeOperations<T extends Catalog> {
  get<E extends EdgeName<T>>(edge: EdgeRef<T, E>): Operation<Edge<ToOf<T, E>> | null>;
  /** Those of at most 100 that there are, in the order asked for. */
  getMany<E extends EdgeName<T>>(
    edges: EdgesRef<T, E>,
    to: readonly Ref<ToOf<T, NoInfer<E>>>[],
    bounds?: Bounds,
  ): Operation<readonly Edge<ToOf<T, E>>[]>;
  list<E extends EdgeName<T>>(edges: EdgesRef<T, E>, options?: ListOptions): Operation<EdgePage<ToOf<T, E>>>;
  count<E extends EdgeName<T>>(edges: EdgesRef<T, E>): Operation<number>;
  put<E extends EdgeName<T>>(edge: EdgeRef<T, E>, content?: EdgeContent): Operation<EdgeWritten<ToOf<T, E>>>;
  delete<E extends EdgeName<T>>(edge: EdgeRef<T, E>): Operation<EdgeDeleted>;
  /** The edge keeps its time and data. Null when there is none. */
  changeType<E extends EdgeName<T>, F extends EdgeNameLike<T, E>>(
    edge: EdgeRef<T, E>,
    type: F,
  ): Operation<EdgeMoved<T, F> | null>;
}

interface AnyEdges {
  readonly from: Ref<string>;
  readonly type: string;
}
interface AnyEdge extends AnyEdges {
  readonly to: Ref<string>;
}

/** An edge as a gateway sends it. */
interface RawEdge {
  readonly toId: string;
  readonly time: number;
  readonly data?: string;
  readonly version: string;
}

/** `toType` says which object type an edge type leads to. */
export function createEdgeOperations(toType: (edgeType: string) => string) {
  const edgeOf = (type: string, { toId, ...rest }: RawEdge): Edge<string> => ({ to: refOf(type, toId), ...rest });
  const refOf = (edgeType: string, id: string): Ref<string> => ({ type: toType(edgeType), id });

  function get(edge: AnyEdge): Operation<Edge<string> | null> {
    const fields = { op: 'edge.get', ...fieldsOf(edge), toIds: [edge.to.id] };
    return {
      ...readOf('edge.get', edge, { path: edgePath(edge), fields }),
      // Alone it is one edge, in a batch a list of at most one.
      read: (answer) => {
        const found = answer.json<RawEdge | { readonly edges: readonly RawEdge[] }>();
        const raw = 'edges' in found ? found.edges[0] : found;
        return raw === undefined ? null : edgeOf(edge.type, raw);
      },
      answers: { edge_not_found: null },
    };
  }

  function getMany(edges: AnyEdges, to: readonly Ref<string>[], bounds: Bounds = {}) {
    const toIds = to.map(({ id }) => id);
    const fields = { op: 'edge.get', ...fieldsOf(edges), toIds, ...boundsOf(bounds) };
    const path = edgesPath(edges, [...toIds.map((id) => ['id', id]), ...Object.entries(boundsOf(bounds))]);
    const operation: Operation<readonly Edge<string>[]> = {
      ...readOf('edge.get', edges, { path, fields }),
      read: (answer) => answer.json<{ edges: readonly RawEdge[] }>().edges.map((raw) => edgeOf(edges.type, raw)),
      answers: {},
    };
    return operation;
  }

  function list(edges: AnyEdges, options: ListOptions = {}): Operation<EdgePage<string>> {
    const { limit, cursor, pos } = options;
    const asked = defined({ limit, cursor, pos, after: options.after, before: options.before });
    const fields = { op: 'edge.list', ...fieldsOf(edges), ...asked };
    return {
      ...readOf('edge.list', edges, { path: edgesPath(edges, Object.entries(asked)), fields }),
      read: (answer) => {
        const page = answer.json<{ edges: readonly RawEdge[]; cursor?: string; more?: true; limitClamped?: true }>();
        return {
          edges: page.edges.map((raw) => edgeOf(edges.type, raw)),
          cursor: page.cursor ?? null,
          more: page.more === true || page.cursor !== undefined,
          limitClamped: page.limitClamped === true,
        };
      },
      answers: {},
    };
  }

  function count(edges: AnyEdges): Operation<number> {
    const fields = { op: 'edge.count', ...fieldsOf(edges) };
    return {
      ...readOf('edge.count', edges, { path: `${edgesPath(edges, [])}:count`, fields }),
      read: (answer) => answer.json<{ count: number }>().count,
      answers: {},
    };
  }

  function put(edge: AnyEdge, content: EdgeContent = {}): Operation<EdgeWritten<string>> {
    const given = defined({ time: content.time, data: content.data });
    const fields = { op: 'edge.put', ...fieldsOf(edge), toId: edge.to.id, ...given };
    return {
      ...writeOf('edge.put', edge, { method: 'PUT', path: edgePath(edge), body: JSON.stringify(given), fields }),
      read: (answer) => {
        const { toId, ...rest } = answer.json<{ toId: string; time: number; version: string; created: boolean }>();
        return { to: refOf(edge.type, toId), ...rest };
      },
    };
  }

  function remove(edge: AnyEdge): Operation<EdgeDeleted> {
    const fields = { op: 'edge.delete', ...fieldsOf(edge), toId: edge.to.id };
    return {
      ...writeOf('edge.delete', edge, { method: 'DELETE', path: edgePath(edge), body: null, fields }),
      read: (answer) => ({ deleted: answer.json<{ deleted: boolean }>().deleted }),
    };
  }

  function changeType(edge: AnyEdge, to: string) {
    const fields = { op: 'edge.changeType', ...fieldsOf(edge), toId: edge.to.id, to };
    const path = `${edgePath(edge)}:changeType`;
    return {
      ...writeOf('edge.changeType', edge, { method: 'POST', path, body: JSON.stringify({ to }), fields }),
      read: ({ json }: { json<B>(): B }) => {
        const { toId, time, version, replaced } = json<RawEdge & { replaced: boolean }>();
        return { to: refOf(to, toId), type: to, time, version, replaced };
      },
      answers: { edge_not_found: null },
    };
  }

  return { get, getMany, list, count, put, delete: remove, changeType };
}

interface ReadParts {
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function readOf(name: Operation<unknown>['name'], { type }: AnyEdges, { path, fields }: ReadParts) {
  return {
    ...{ name, isRead: true, about: type },
    toHttp: () => ({ method: 'GET', path, headers: {}, body: null }) as const,
    toFields: () => fields,
  };
}

interface WriteParts extends ReadParts {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly body: string | null;
}

function writeOf(name: Operation<unknown>['name'], { type }: AnyEdges, parts: WriteParts) {
  const { method, path, body, fields } = parts;
  const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
  const toHttp = () => ({ method, path, headers, body });
  return { ...{ name, isRead: false, about: type, answers: {} }, toHttp, toFields: () => fields };
}

function fieldsOf({ from, type }: AnyEdges) {
  return { type: from.type, id: from.id, edgeType: type };
}

function edgesPath(
  { from, type }: AnyEdges,
  query: readonly (readonly [string, unknown] | readonly string[])[],
): string {
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return `${objectPath(from)}/edges/${encodeURIComponent(type)}${text === '' ? '' : `?${text}`}`;
}

function edgePath(edge: AnyEdge): string {
  return `${edgesPath(edge, [])}/${encodeURIComponent(edge.to.id)}`;
}

function boundsOf({ after, before }: Bounds) {
  return defined({ after, before });
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
