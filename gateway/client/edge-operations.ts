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
  const refOf: RefOf = (edgeType, id) => ({ type: toType(edgeType), id });
  return { ...createEdgeReads(refOf), ...createEdgeWrites(refOf) };
}

/** The object at the end of an edge of this type. */
type RefOf = (edgeType: string, id: string) => Ref<string>;

function createEdgeReads(refOf: RefOf) {
  const edgeOf = (type: string, { toId, ...rest }: RawEdge): Edge<string> => ({ to: refOf(type, toId), ...rest });
  return {
    get(edge: AnyEdge): Operation<Edge<string> | null> {
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
    },
    getMany(edges: AnyEdges, to: readonly Ref<string>[], { after, before }: Bounds = {}) {
      const toIds = to.map(({ id }) => id);
      const bounds = defined({ after, before });
      const fields = { op: 'edge.get', ...fieldsOf(edges), toIds, ...bounds };
      const path = edgesPath(edges, [...toIds.map((id) => ['id', id] as const), ...Object.entries(bounds)]);
      const operation: Operation<readonly Edge<string>[]> = {
        ...readOf('edge.get', edges, { path, fields }),
        read: (answer) => answer.json<{ edges: readonly RawEdge[] }>().edges.map((raw) => edgeOf(edges.type, raw)),
        answers: {},
      };
      return operation;
    },
    list(edges: AnyEdges, { limit, cursor, pos, after, before }: ListOptions = {}): Operation<EdgePage<string>> {
      const asked = defined({ limit, cursor, pos, after, before });
      const fields = { op: 'edge.list', ...fieldsOf(edges), ...asked };
      return {
        ...readOf('edge.list', edges, { path: edgesPath(edges, Object.entries(asked)), fields }),
        read: (answer) => pageOf(answer.json<RawPage>(), (raw) => edgeOf(edges.type, raw)),
        answers: {},
      };
    },
    count(edges: AnyEdges): Operation<number> {
      const fields = { op: 'edge.count', ...fieldsOf(edges) };
      return {
        ...readOf('edge.count', edges, { path: `${edgesPath(edges, [])}:count`, fields }),
        read: (answer) => answer.json<{ count: number }>().count,
        answers: {},
      };
    },
  };
}

interface RawPage {
  readonly edges: readonly RawEdge[];
  readonly cursor?: string;
  readonly more?: true;
  readonly limitClamped?: true;
}

function pageOf(page: RawPage, edgeOf: (raw: RawEdge) => Edge<string>): EdgePage<string> {
  return {
    edges: page.edges.map(edgeOf),
    cursor: page.cursor ?? null,
    more: page.more === true || page.cursor !== undefined,
    limitClamped: page.limitClamped === true,
  };
}

function createEdgeWrites(refOf: RefOf) {
  return {
    put(edge: AnyEdge, { time, data }: EdgeContent = {}): Operation<EdgeWritten<string>> {
      const given = defined({ time, data });
      const fields = { op: 'edge.put', ...fieldsOf(edge), toId: edge.to.id, ...given };
      return {
        ...writeOf('edge.put', edge, { method: 'PUT', path: edgePath(edge), body: JSON.stringify(given), fields }),
        read: (answer) => {
          const { toId, ...rest } = answer.json<{ toId: string; time: number; version: string; created: boolean }>();
          return { to: refOf(edge.type, toId), ...rest };
        },
        answers: {},
      };
    },
    delete(edge: AnyEdge): Operation<EdgeDeleted> {
      const fields = { op: 'edge.delete', ...fieldsOf(edge), toId: edge.to.id };
      return {
        ...writeOf('edge.delete', edge, { method: 'DELETE', path: edgePath(edge), body: null, fields }),
        read: (answer) => ({ deleted: answer.json<{ deleted: boolean }>().deleted }),
        answers: {},
      };
    },
    changeType(edge: AnyEdge, type: string): Operation<EdgeMoved<Catalog, string> | null> {
      const fields = { op: 'edge.changeType', ...fieldsOf(edge), toId: edge.to.id, to: type };
      const path = `${edgePath(edge)}:changeType`;
      return {
        ...writeOf('edge.changeType', edge, { method: 'POST', path, body: JSON.stringify({ to: type }), fields }),
        read: (answer) => {
          const { toId, time, version, replaced } = answer.json<RawEdge & { replaced: boolean }>();
          return { to: refOf(type, toId), type, time, version, replaced };
        },
        answers: { edge_not_found: null },
      };
    },
  };
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
  return { ...{ name, isRead: false, about: type }, toHttp, toFields: () => fields };
}

function fieldsOf({ from, type }: AnyEdges) {
  return { type: from.type, id: from.id, edgeType: type };
}

function edgesPath({ from, type }: AnyEdges, query: readonly (readonly [string, unknown])[]): string {
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return `${objectPath(from)}/edges/${encodeURIComponent(type)}${text === '' ? '' : `?${text}`}`;
}

function edgePath(edge: AnyEdge): string {
  return `${edgesPath(edge, [])}/${encodeURIComponent(edge.to.id)}`;
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
