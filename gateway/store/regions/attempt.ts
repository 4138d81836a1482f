import type { Container } from '@azure/cosmos';
import type { SessionToken, StoreCall } from '#gateway/pipeline/store-port.ts';
import { type Fault, faultOf, isContainerMissing, isThrottled, isUnwell } from '#gateway/store/errors.ts';
import type { AttemptScope, AttemptScopes } from '#gateway/store/http/attempt-scope.ts';
import type { PointReads } from '#gateway/store/points/point-reads.ts';
import type { SessionTokens } from '#gateway/store/session-tokens.ts';
import { type AttemptTimer, startAttemptTimer } from './attempt-timer.ts';
import type { Admission, Breaker, Verdict } from './breaker.ts';
import type { Latency } from './latency.ts';

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

/** Kinds of read whose usual time is known apart. */
export type ReadKind = 'point' | 'query';

/** One of a pair of hedged reads. */
export interface Ticket {
  readonly hedge: boolean;
  /** Set when the other one was used: what comes yet is not the request's any more. */
  overtaken: boolean;
  /** What it was charged so far. */
  ru: number;
}

export interface AttemptLimits {
  /** The partition that the attempt is about; null when it is about no single one, and its session token is none's. */
  readonly pk: string | null;
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

/** What an attempt takes from the request that it is made for. */
export type AttemptCall = Pick<StoreCall, 'meter' | 'session'>;

/** The work of an attempt, with the means of the region that it is made in. */
export type Run<T> = (container: Container, signal: AbortSignal, points: PointReads) => Promise<T>;

export interface RegionCounts {
  attempts: number;
  failures: number;
  throttled: number;
  hedges: number;
  hedgesWon: number;
}

/** What a region's attempts leave behind. */
export interface AttemptMeans {
  readonly regionName: () => string;
  readonly container: () => Container;
  readonly points: PointReads;
  readonly breaker: Breaker;
  readonly counts: RegionCounts;
  readonly latency: Readonly<Record<ReadKind, Latency>>;
  readonly scopes: AttemptScopes;
  readonly tokens: SessionTokens;
  readonly now: () => number;
  /** Before an attempt: a promise when something has to be there first. */
  readonly prepare: (signal: AbortSignal) => Promise<void> | null;
  readonly onContainerMissing: () => void;
}

/**
 * A caller in a hurry must not close a region for all others: only an attempt that had this long and brought no reply
 * says that the region is unwell.
 */
const FAIR_TIMEOUT_MS = 500;

export interface Admitted<T> {
  readonly call: AttemptCall;
  readonly run: Run<T>;
  readonly admission: Admission;
}

/** Runs one attempt, cuts it off after `timeoutMs`, and tells breaker, counts, latency and session tokens what it came to. */
export async function runAttempt<T>(
  means: AttemptMeans,
  to: Admitted<T>,
  limits: AttemptLimits,
): Promise<Attempted<T>> {
  const { tokens, now } = means;
  const startedAtMs = now();
  const timer = startAttemptTimer(limits.timeoutMs);
  const scope = newScope(to.call, { region: means.regionName(), ticket: limits.ticket, signal: timer.signal });
  let fault: Fault | null = null;
  // A mistake of ours ends the attempt without a word of the region.
  let isTold = false;
  try {
    const preparing = means.prepare(timer.signal);
    if (preparing !== null) await preparing;
    const value = await means.scopes.run(scope, to.run, means.container(), timer.signal, means.points);
    if (limits.kind !== undefined) means.latency[limits.kind].note(timer.elapsedUs());
    isTold = true;
    const { pk } = limits;
    const token = scope.sessionToken;
    const session = pk === null || token === null ? [] : tokens.note(pk, token, to.call.session);
    return { kind: 'ok', value, session };
  } catch (error) {
    fault = faultOf(error, scope.wasSent);
    isTold = true;
    if (isContainerMissing(fault)) means.onContainerMissing();
    return { kind: 'fault', fault };
  } finally {
    timer.stop();
    const verdict = !isTold ? 'unclear' : verdictOf(fault, { timer, scope, timeoutMs: limits.timeoutMs });
    count(means.counts, fault, verdict);
    means.breaker.report({ admission: to.admission, startedAtMs }, verdict, now());
    if (scope.wasSent) limits.onSent?.();
  }
}

function newScope(
  call: AttemptCall,
  attempt: { readonly region: string; readonly ticket: Ticket | undefined; readonly signal: AbortSignal },
): AttemptScope {
  const { region, ticket, signal } = attempt;
  const meter: AttemptScope['meter'] = {
    add(wire) {
      if (ticket?.overtaken === true) return;
      if (ticket !== undefined) ticket.ru += wire.ru;
      call.meter.add({ ...wire, region, hedge: ticket?.hedge === true, overtaken: false });
    },
  };
  return { meter, signal, wasLent: false, wasSent: false, sessionToken: null };
}

function verdictOf(
  fault: Fault | null,
  attempt: { readonly timer: AttemptTimer; readonly scope: AttemptScope; readonly timeoutMs: number },
): Verdict {
  if (fault === null || !isUnwell(fault)) return 'well';
  // It never left this process: no token from Entra ID, or no free connection.
  if (!attempt.scope.wasLent) return 'unclear';
  const outcome = attempt.timer.outcome();
  if (outcome === 'inTime') return 'unwell';
  return outcome === 'timedOut' && attempt.timeoutMs >= FAIR_TIMEOUT_MS ? 'unwell' : 'unclear';
}

function count(counts: RegionCounts, fault: Fault | null, verdict: Verdict): void {
  counts.attempts += 1;
  if (verdict === 'unwell') counts.failures += 1;
  if (fault !== null && isThrottled(fault)) counts.throttled += 1;
}
