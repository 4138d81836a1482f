/** The two tenants; each has a key of its own, and marks in what it stores. */
export const TENANTS = ['chat', 'rival'] as const;
export type Tenant = (typeof TENANTS)[number];

/** One piece of hostile input. */
export interface FuzzCase {
  readonly family: string;
  /** Whose key it carries; null when it carries none that is whole. */
  readonly as: Tenant | null;
  readonly bytes: Buffer;
  /** Bytes after which the sender lets the network have what is written so far. */
  readonly cuts: readonly number[];
  /** One well-framed request: it gets exactly one reply on a connection that others share. Else it has its own. */
  readonly whole: { readonly method: string; readonly target: string } | null;
}

/** What tenants hold and were given, for requests that use it rightly or wrongly. */
export interface Loot {
  readonly keys: Readonly<Record<Tenant, string>>;
  readonly cursors: Readonly<Record<Tenant, readonly string[]>>;
  readonly sessions: Readonly<Record<Tenant, readonly string[]>>;
}

/** A request before it is bytes. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array | string;
}

/** The bytes of a request; strings of the head are latin1, as they would be sent. */
export function bytesOf({ method, target, headers, body }: FuzzRequest): Buffer {
  const content = body === undefined ? Buffer.alloc(0) : Buffer.from(body as Uint8Array);
  const length = body === undefined ? [] : [`Content-Length: ${content.length}`];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: gateway',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${[...lines, ...length].join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}
