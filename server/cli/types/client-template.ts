// <made-from>

// <types> Everything up to the next mark is written anew from the registry; these two types stand for it here.
/** The object types, by name. */
export interface ObjectTypes {
  readonly Example: { readonly classification: 'internal' };
}

/** The edge types, by name, with the object types at their ends. */
export interface EdgeTypes {
  readonly examples: { readonly from: 'Example'; readonly to: 'Example'; readonly cardinality: 'many' };
}

/** Limits that the gateway enforces. */
export const LIMITS = {
  objects: { Example: { maxBytes: 1_000 } },
  edges: { examples: { listCap: 1_000, maxEdges: 1_000, dataMaxBytes: 1_024 } },
} as const;
// </types>

export type ObjectType = keyof ObjectTypes;
export type EdgeType = keyof EdgeTypes;
/** Edge types that start from an object type. */
export type EdgeTypeFrom<T extends ObjectType> = {
  [E in EdgeType]: EdgeTypes[E]['from'] extends T ? E : never;
}[EdgeType];
/** The object type that an edge type leads to. */
export type TargetOf<E extends EdgeType> = EdgeTypes[E]['to'];

declare const brand: unique symbol;
/** Id of an object of one type. Ids of two types do not mix. */
export type Id<T extends ObjectType> = string & { readonly [brand]: T };

/** Marks a text as the id of an object of this type. */
export function idOf<T extends ObjectType>(_type: T, text: string): Id<T> {
  return text as Id<T>;
}

export interface StoredObject {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly version: string;
}

export interface Edge<E extends EdgeType> {
  readonly toId: Id<TargetOf<E>>;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly data?: string;
  readonly version: string;
}

export interface PutOptions {
  readonly contentType?: string;
  /** Only over this version, else `version_conflict`. */
  readonly ifVersion?: string;
  /** Only where there is none, else `already_exists`. */
  readonly ifAbsent?: boolean;
}

export interface ListOptions {
  readonly limit?: number;
  readonly cursor?: string;
  /** Only edges later than, or earlier than, this time, epoch milliseconds. */
  readonly after?: number;
  readonly before?: number;
}

/** A refusal of the gateway; `code` is explained in the console. */
export class HabitatError extends Error {
  override readonly name = 'HabitatError';
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly requestId: string;

  constructor(status: number, error: { code?: string; message?: string; retryable?: boolean; requestId?: string }) {
    super(error.message ?? `The gateway answered ${status}.`);
    this.code = error.code ?? 'unknown';
    this.status = status;
    this.retryable = error.retryable ?? status >= 500;
    this.requestId = error.requestId ?? '';
  }
}

export interface ClientOptions {
  /** Address of the gateway. */
  readonly url: string;
  readonly tenant: string;
  /** `hk_…` */
  readonly key: string;
  readonly fetch?: typeof fetch;
}

export type Client = ReturnType<typeof createClient>;

/**
 * A client of one tenant. Every call is one request; refusals are thrown as HabitatError. The type named first decides
 * which ids fit: without NoInfer the compiler would take both for a union of types, and any id would fit any type.
 */
export function createClient(options: ClientOptions) {
  const call = caller(options);
  const edgesAt = (type: string, id: string, edge: string) => `${type}/${segment(id)}/edges/${edge}`;
  return {
    /** The object, or null when there is none. */
    async get<T extends ObjectType>(type: T, id: Id<NoInfer<T>>): Promise<StoredObject | null> {
      const reply = await call('GET', `${type}/${segment(id)}`, { missing: 'object_not_found' });
      if (reply === null) return null;
      return {
        content: new Uint8Array(await reply.arrayBuffer()),
        contentType: reply.headers.get('content-type') ?? '',
        version: (reply.headers.get('etag') ?? '').replaceAll('"', ''),
      };
    },
    async put<T extends ObjectType>(
      type: T,
      id: Id<NoInfer<T>>,
      content: string | Uint8Array<ArrayBuffer>,
      { contentType, ifVersion, ifAbsent }: PutOptions = {},
    ): Promise<{ id: Id<T>; version: string; created: boolean }> {
      const headers: Record<string, string> = { 'content-type': contentType ?? 'application/octet-stream' };
      if (ifVersion !== undefined) headers['if-match'] = `"${ifVersion}"`;
      if (ifAbsent === true) headers['if-none-match'] = '*';
      return json(call('PUT', `${type}/${segment(id)}`, { headers, body: content }));
    },
    async delete<T extends ObjectType>(type: T, id: Id<NoInfer<T>>): Promise<{ id: Id<T>; deleted: boolean }> {
      return json(call('DELETE', `${type}/${segment(id)}`));
    },
    async putEdge<T extends ObjectType, E extends EdgeTypeFrom<T>>(
      [type, id]: readonly [T, Id<NoInfer<T>>],
      edge: E,
      toId: Id<TargetOf<E>>,
      { time, data }: { readonly time?: number; readonly data?: string } = {},
    ): Promise<{ toId: Id<TargetOf<E>>; time: number; version: string; created: boolean }> {
      const headers = { 'content-type': 'application/json' };
      const path = `${edgesAt(type, id, edge)}/${segment(toId)}`;
      return json(call('PUT', path, { headers, body: JSON.stringify({ time, data }) }));
    },
    async deleteEdge<T extends ObjectType, E extends EdgeTypeFrom<T>>(
      [type, id]: readonly [T, Id<NoInfer<T>>],
      edge: E,
      toId: Id<TargetOf<E>>,
    ): Promise<{ toId: Id<TargetOf<E>>; deleted: boolean }> {
      return json(call('DELETE', `${edgesAt(type, id, edge)}/${segment(toId)}`));
    },
    /** The edge, or null when there is none. */
    async getEdge<T extends ObjectType, E extends EdgeTypeFrom<T>>(
      [type, id]: readonly [T, Id<NoInfer<T>>],
      edge: E,
      toId: Id<TargetOf<E>>,
    ): Promise<Edge<E> | null> {
      const reply = await call('GET', `${edgesAt(type, id, edge)}/${segment(toId)}`, { missing: 'edge_not_found' });
      return reply === null ? null : ((await reply.json()) as Edge<E>);
    },
    /** One page of the edges of an object, newest first. `cursor` is absent on the last page. */
    async listEdges<T extends ObjectType, E extends EdgeTypeFrom<T>>(
      [type, id]: readonly [T, Id<NoInfer<T>>],
      edge: E,
      list: ListOptions = {},
    ): Promise<{ edges: Edge<E>[]; cursor?: string }> {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(list)) if (value !== undefined) query.set(name, String(value));
      const text = query.toString();
      return json(call('GET', `${edgesAt(type, id, edge)}${text === '' ? '' : `?${text}`}`));
    },
    async countEdges<T extends ObjectType, E extends EdgeTypeFrom<T>>(
      [type, id]: readonly [T, Id<NoInfer<T>>],
      edge: E,
    ): Promise<number> {
      const { count } = await json<{ count: number }>(call('GET', `${edgesAt(type, id, edge)}:count`));
      return count;
    },
  };
}

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The code that means that there is nothing, which is no error. */
  readonly missing?: string;
}

function caller({ url, tenant, key, fetch: send = fetch }: ClientOptions) {
  const base = `${url.replace(/\/+$/, '')}/v1/${segment(tenant)}/objects/`;
  return async (
    method: string,
    path: string,
    { headers, body, missing }: CallOptions = {},
  ): Promise<Response | null> => {
    const reply = await send(base + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body }),
    });
    if (reply.ok) return reply;
    const text = await reply.text();
    const error = parseError(text);
    if (missing !== undefined && error.code === missing) return null;
    throw new HabitatError(reply.status, error);
  };
}

async function json<T>(reply: Promise<Response | null>): Promise<T> {
  return (await (await reply)?.json()) as T;
}

function parseError(text: string): { code?: string; message?: string; retryable?: boolean; requestId?: string } {
  try {
    return (JSON.parse(text) as { error?: object }).error ?? {};
  } catch {
    return {};
  }
}

function segment(text: string): string {
  return encodeURIComponent(text);
}
