import type { Client } from './api.ts';
import type { OnRequest } from './calls/note.ts';
import type { CallOptions } from './calls/options.ts';
import { createRetryBudget } from './calls/retry-budget.ts';
import type { Catalog } from './catalog.ts';
import { createLatencies } from './explain/latencies.ts';
import { createSession } from './session.ts';
import type { TlsOptions } from './transport/connection-list.ts';
import { createEndpoints } from './transport/endpoints.ts';
import { createView } from './view.ts';

export type { Client, Edges, Objects, Operations } from './api.ts';
export type { Misfit } from './calls/answer.ts';
export type { OnRequest, Part, RequestNote } from './calls/note.ts';
export type { CallOptions, Consistency, WriteOptions } from './calls/options.ts';
export type { Catalog, EdgeRef, EdgesRef, Ref } from './catalog.ts';
export type { Content, Found } from './content.ts';
export type { Bill, BillLine } from './explain/bill.ts';
export type { Hop, Plan, PlanLine } from './explain/plan.ts';
export { type ErrorCode, HabitatError } from './habitat-error.ts';
export type { Operation, Settled } from './operation.ts';
export type { Conflict, Deleted, Edge, EdgePage, EdgeWritten, Written } from './replies.ts';
export { createSession, type Session } from './session.ts';

export interface ClientOptions<T extends Catalog> extends Omit<CallOptions, 'signal'> {
  /** What `npx habitat types` wrote: the object and edge types of the registry. */
  readonly types: T;
  /** Addresses of gateways that serve the same, or of a load balancer before them: `http://127.0.0.1:4000`. */
  readonly endpoints: readonly string[];
  readonly tenant: string;
  /** `hk_…`, or where to get it: asked before each request, so that a key can be replaced. */
  readonly key: string | (() => string | Promise<string>);
  /** Sends reads that are made in one turn of the event loop together, up to 100 a request. */
  readonly batchReads?: boolean;
  /** Hears of each request: what it asked, what it cost, how it ended. */
  readonly onRequest?: OnRequest;
  /** Most connections to one endpoint; calls beyond wait in order. 64 unless told. */
  readonly maxConnections?: number;
  /** Oldest that a connection gets, so that gateways that are added come into use. Five minutes unless told. */
  readonly maxConnectionAgeMs?: number;
  readonly tls?: TlsOptions;
}

/** Where time and chance come from; tests bring their own. */
export interface Sources {
  readonly now: () => number;
  /** 0 ≤ value < 1. */
  readonly random: () => number;
}

const DEFAULTS = { maxConnections: 64, maxConnectionAgeMs: 5 * 60_000, deadlineMs: 5_000 };
const CONNECT_TIMEOUT_MS = 2_000;
const LEAVE_OUT_MS = 1_000;

/** A client of one tenant. Make one for a process and share it: its connections, retry budget and session are its own. */
export function createClient<T extends Catalog>(
  options: ClientOptions<T>,
  { now, random }: Sources = { now: () => performance.now(), random: Math.random },
): Client<T> {
  const { types, key, onRequest, session, ...rest } = { ...DEFAULTS, ...options };
  const origins = options.endpoints.map(originOf);
  if (origins.length === 0) throw new TypeError('A client needs at least one endpoint.');
  const endpoints = createEndpoints({
    ...{ origins, tls: options.tls, now, random },
    ...{ maxConnections: rest.maxConnections, maxAgeMs: rest.maxConnectionAgeMs },
    ...{ connectTimeoutMs: CONNECT_TIMEOUT_MS, leaveOutMs: LEAVE_OUT_MS },
  });
  const keyOf = typeof key === 'string' ? () => key : key;
  const latencies = createLatencies();
  return createView<T>({
    core: { endpoints, budget: createRetryBudget(), tenant: rest.tenant, key: keyOf, now, random },
    ...{ catalog: types, latencies, batchReads: options.batchReads === true },
    options: {
      deadlineMs: rest.deadlineMs ?? DEFAULTS.deadlineMs,
      signal: undefined,
      consistency: rest.consistency,
      session: session === undefined ? createSession() : session,
      traceparent: rest.traceparent,
    },
    onRequest: [latencies.note, ...(onRequest === undefined ? [] : [onRequest])],
  });
}

/** Throws a TypeError for what is no address of a server. */
function originOf(address: string): string {
  const url = new URL(address);
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  if (!['http:', 'https:'].includes(url.protocol) || !isOrigin) {
    throw new TypeError(`An endpoint is http:// or https:// with a host and a port and nothing after: ${address}.`);
  }
  return url.origin;
}
