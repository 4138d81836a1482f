import { type Container, CosmosClient } from '@azure/cosmos';
import type { SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import type { Signing } from '#gateway/store/azure/credential.ts';
import { type Fault, faultOf, isContainerMissing, isThrottled, isUnwell } from '#gateway/store/errors.ts';
import { assertFifo } from '#gateway/store/http/assert-fifo.ts';
import type { AttemptScope, AttemptScopes } from '#gateway/store/http/attempt-scope.ts';
import { createFreeList, type FreeListStats } from '#gateway/store/http/free-list.ts';
import { createHttpClient, type HttpClient } from '#gateway/store/http/http-client.ts';
import { CONTAINER, DATABASE } from '#gateway/store/layout/container.ts';
import type { SessionTokens } from '#gateway/store/session-tokens.ts';
import { type AttemptTimer, startAttemptTimer } from './attempt-timer.ts';
import { type Admission, type Breaker, createBreaker, type Verdict } from './breaker.ts';
import { createLatency, type Latency } from './latency.ts';
import { type RegionTable, slotOf, TIME, takeLease } from './shared-table.ts';

export interface Succeeded<T> {
  readonly kind: 'ok';
  readonly value: T;
  /** What the client is to carry on for its session. */
  readonly session: readonly SessionToken[];
}

export interface Failed {
  readonly kind: 'fault';
  readonly fault: Fault;
}

export type Attempted<T> = Succeeded<T> | Failed;

export interface AttemptLimits {
  /** The partition that the attempt is about. */
  readonly pk: string;
  readonly timeoutMs: number;
  /** Called when a byte of the attempt may have left. */
  readonly onSent?: () => void;
  /** Sent even to a region whose breaker is open: somebody waits to learn what became of an earlier copy. */
  readonly isForced?: boolean;
  /** No other region can serve the read: an open breaker lets one of these pass at a time. */
  readonly isLastResort?: boolean;
  /** Set on reads whose time is noted, for hedging. */
  readonly kind?: ReadKind;
  /** Given to each of a hedged pair. */
  readonly ticket?: Ticket;
}

/** One of a pair of hedged reads. */
export interface Ticket {
  readonly hedge: boolean;
  /** Set when the other one was used: what comes yet is not the request's any more. */
  overtaken: boolean;
  /** What it was charged so far. */
  ru: number;
}

/** What an attempt takes from the request that it is made for. */
export type AttemptCall = Pick<StoreCall, 'meter' | 'session'>;

export type Run<T> = (container: Container, signal: AbortSignal) => Promise<T>;

/** Kinds of read whose usual time is known apart. */
export type ReadKind = 'point' | 'query';

export interface RegionCounts {
  attempts: number;
  failures: number;
  throttled: number;
  hedges: number;
  hedgesWon: number;
}

/** One regional endpoint of the account: a client of its own over connections of its own. */
export interface Region {
  readonly origin: string;
  /** As the account document names it; the host until that was read. */
  name: string;
  readonly breaker: Breaker;
  readonly counts: RegionCounts;
  readonly latency: Readonly<Record<ReadKind, Latency>>;
  /** Runs one attempt, or none when the breaker is open, and cuts it off after `timeoutMs`. */
  attempt<T>(call: AttemptCall, limits: AttemptLimits, run: Run<T>): Promise<Attempted<T>>;
  /** True for the one thread of the process that is to check the region now. */
  takeCheck(span: { readonly nowMs: number; readonly untilMs: number }): boolean;
  client(): CosmosClient;
  /** The account document as this endpoint tells it, unparsed. */
  readAccount(signal: AbortSignal): Promise<unknown>;
  /** Forgets what the client learnt of a container that is gone. */
  reopen(): void;
  connections(): FreeListStats;
  close(): Promise<void>;
}

export interface RegionParts {
  readonly signing: Signing;
  readonly scopes: AttemptScopes;
  readonly tokens: SessionTokens;
  readonly table: RegionTable;
  readonly now: () => number;
  readonly random: () => number;
  readonly maxConnections: number;
  /** Before an attempt: a promise when something has to be there first. */
  readonly prepare: (signal: AbortSignal) => Promise<void> | null;
  readonly onContainerMissing: () => void;
}

/**
 * A caller in a hurry must not close a region for all others: only an attempt that had this long and brought no reply
 * says that the region is unwell.
 */
const FAIR_TIMEOUT_MS = 500;

/**
 * The SDK against one endpoint, with everything it does badly switched off: endpoint discovery, its retries and its
 * connections. Throws if connections would not be reused in the order A B C A B C. Opens none.
 */
export function createRegion(at: { readonly url: string; readonly name: string }, parts: RegionParts): Region {
  const { origin } = new URL(at.url);
  const { scopes, tokens, now } = parts;
  const list = createFreeList({ ...parts, origin });
  assertFifo(list);
  const httpClient = createHttpClient(list, scopes);
  const open = () => openClient({ endpoint: origin, ...parts.signing, httpClient });
  let { client, container } = open();
  const slot = slotOf(parts.table, origin);
  const breaker = createBreaker(slot, parts.random);
  const counts: RegionCounts = { attempts: 0, failures: 0, throttled: 0, hedges: 0, hedgesWon: 0 };

  async function admitted<T>(to: Admitted<T>, limits: AttemptLimits): Promise<Attempted<T>> {
    const startedAtMs = now();
    const timer = startAttemptTimer(limits.timeoutMs);
    const scope = newScope(to.call, { region: region.name, ticket: limits.ticket, signal: timer.signal });
    let fault: Fault | null = null;
    try {
      const preparing = parts.prepare(timer.signal);
      if (preparing !== null) await preparing;
      const value = await scopes.run(scope, to.run, container, timer.signal);
      if (limits.kind !== undefined) region.latency[limits.kind].note(timer.elapsedUs());
      const session = scope.sessionToken === null ? [] : tokens.note(limits.pk, scope.sessionToken, to.call.session);
      return { kind: 'ok', value, session };
    } catch (error) {
      fault = faultOf(error, scope.wasSent);
      if (isContainerMissing(fault)) parts.onContainerMissing();
      return { kind: 'fault', fault };
    } finally {
      timer.stop();
      const verdict = verdictOf(fault, { timer, scope, timeoutMs: limits.timeoutMs });
      count(counts, fault, verdict);
      breaker.report({ admission: to.admission, startedAtMs }, verdict, now());
      if (scope.wasSent) limits.onSent?.();
    }
  }

  const region: Region = {
    origin,
    name: at.name,
    breaker,
    counts,
    latency: { point: createLatency(), query: createLatency() },
    async attempt(call, limits, run) {
      const admission = breaker.admit(now(), limits.isLastResort) ?? (limits.isForced === true ? 'forced' : null);
      if (admission === null) return { kind: 'fault', fault: { kind: 'shut', region: region.name } };
      return admitted({ call, run, admission }, limits);
    },
    takeCheck: (span) => takeLease(slot.times, TIME.checkDue, span),
    client: () => client,
    readAccount: (signal) => readAccount({ endpoint: origin, ...parts.signing, httpClient }, signal),
    reopen() {
      client.dispose();
      ({ client, container } = open());
    },
    connections: () => list.stats(),
    async close() {
      client.dispose();
      await list.close();
    },
  };
  return region;
}

interface Admitted<T> {
  readonly call: AttemptCall;
  readonly run: Run<T>;
  readonly admission: Admission;
}

type ClientOptions = Signing & { readonly endpoint: string; readonly httpClient: HttpClient };

function openClient(options: ClientOptions) {
  const client = new CosmosClient({
    ...options,
    connectionPolicy: {
      enableEndpointDiscovery: false,
      enableBackgroundEndpointRefreshing: false,
      retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 },
    },
  });
  return { client, container: client.database(DATABASE).container(CONTAINER) };
}

/** The SDK drops parts of the document, the account's name among them; what came over the wire has it all. */
async function readAccount(options: ClientOptions, signal: AbortSignal): Promise<unknown> {
  let text = '';
  const httpClient: HttpClient = {
    async sendRequest(request) {
      const response = await options.httpClient.sendRequest(request);
      text = response.bodyAsText ?? '';
      return response;
    },
  };
  const { client } = openClient({ ...options, httpClient });
  try {
    await client.getDatabaseAccount({ abortSignal: signal });
    return JSON.parse(text);
  } finally {
    client.dispose();
  }
}

function newScope(
  call: AttemptCall,
  attempt: { readonly region: string; readonly ticket: Ticket | undefined; readonly signal: AbortSignal },
): AttemptScope {
  const { region, ticket, signal } = attempt;
  const meter: AttemptScope['meter'] = {
    add({ status, subStatus, ru, us }) {
      if (ticket?.overtaken === true) return;
      if (ticket !== undefined) ticket.ru += ru;
      call.meter.add({ status, subStatus, ru, us, region, hedge: ticket?.hedge === true, overtaken: false });
    },
  };
  return { meter, signal, wasLent: false, wasSent: false, sessionToken: null };
}

function verdictOf(
  fault: Fault | null,
  attempt: { readonly timer: AttemptTimer; readonly scope: AttemptScope; readonly timeoutMs: number },
): Verdict {
  if (fault === null || !isUnwell(fault)) return 'well';
  const outcome = attempt.timer.outcome();
  if (outcome === 'inTime') return 'unwell';
  const isFair = outcome === 'timedOut' && attempt.scope.wasLent && attempt.timeoutMs >= FAIR_TIMEOUT_MS;
  return isFair ? 'unwell' : 'unclear';
}

function count(counts: RegionCounts, fault: Fault | null, verdict: Verdict): void {
  counts.attempts += 1;
  if (verdict === 'unwell') counts.failures += 1;
  if (fault !== null && isThrottled(fault)) counts.throttled += 1;
}
