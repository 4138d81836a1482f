import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import type { Consistency, StoreCall } from '#gateway/pipeline/store-port.ts';
import { askedWaitMs, denialOf, type Fault, isLagging, isMoved, isThrottled, isUnwell } from '#gateway/store/errors.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import type { ReadKind, Run, Succeeded } from '#gateway/store/regions/attempt.ts';
import { attemptTimeoutMs, backoffMs, waitWithin } from '#gateway/store/wait.ts';
import { attemptHedged } from './attempt-hedged.ts';
import { type Route, startRoute } from './route.ts';

export interface Read {
  readonly pk: string;
  readonly kind: ReadKind;
  /** `critical` goes where writes go and nowhere else. */
  readonly consistency: Consistency;
  /** Goes on until the deadline, whatever the breaker says: somebody has to learn what became of a write. */
  readonly insists?: boolean;
  readonly call: StoreCall;
}

/** A first attempt is cut off here when another region can serve the read: the slowest sound ones take a tenth of it. */
const PATIENCE_MS = { point: 1_000, query: 2_000 } as const;
/** One retry, in the next region where there is one. */
const MOST_FAILURES = 1;
/** How often the write region is asked again when its replica has not reached the session. */
const MOST_LAGS = 2;

/**
 * Runs a read until it succeeds, its deadline comes, or its retries are spent. Refuses with `deadline_exceeded`,
 * `store_throttled` or `store_unavailable`; a lagging replica is never "not found".
 */
export function runRead<T>(parts: StoreParts, read: Read, run: Run<T>): Promise<Succeeded<T> | Denial> {
  return read.consistency === 'critical' ? readWhereWritesGo(parts, read, run) : readNearest(parts, read, run);
}

async function readNearest<T>(parts: StoreParts, read: Read, run: Run<T>): Promise<Succeeded<T> | Denial> {
  const { account, now } = parts;
  const { pk, kind, call } = read;
  const known = account.reads(attemptTimeoutMs(parts, call.deadlineAtMs));
  const regions = known instanceof Promise ? await known : known;
  const route = startRoute({ regions, write: () => account.regions.write(), now });
  if (regions.length > 1) account.hedges.earn();
  let fault: Fault = { kind: 'shut', region: account.regions.account() };
  for (;;) {
    if (now() >= call.deadlineAtMs) return outOfTime(fault);
    const first = route.next();
    if (first === null) return denialOf(fault);
    const second = route.other(first);
    const limits = { pk, kind, timeoutMs: timeoutOf(parts, read, second !== null), isLastResort: true };
    const result = await attemptHedged(call, { first, second, limits, budget: account.hedges, now }, run);
    if (result.kind === 'ok') return result;
    if (!saysNothing(result.fault, now() >= call.deadlineAtMs)) fault = result.fault;
    const pauseMs = afterFault(parts, route, result.fault);
    if (pauseMs === null) return now() >= call.deadlineAtMs ? outOfTime(fault) : denialOf(fault);
    if (pauseMs > 0 && !(await waitWithin(parts, call.deadlineAtMs, pauseMs))) return outOfTime(fault);
  }
}

/** How long to wait before the route goes on; null when it is at its end. */
function afterFault(parts: StoreParts, route: Route, fault: Fault): number | null {
  const hasNext = route.skip();
  if (fault.kind === 'shut') return hasNext ? 0 : null;
  if (isThrottled(fault)) {
    if (hasNext) return 0;
    route.startOver();
    return askedWaitMs(fault) ?? backoffMs(parts, route.passes(), 10);
  }
  if (isLagging(fault)) {
    if (hasNext) return 0;
    return route.turnToWrite() <= MOST_LAGS ? backoffMs(parts, route.passes(), 10) : null;
  }
  if (isMoved(fault)) {
    void parts.account.regions.refresh();
    return hasNext ? 0 : null;
  }
  if (!isUnwell(fault) || route.fail() > MOST_FAILURES) return null;
  if (hasNext) return 0;
  route.startOver();
  const again = route.next();
  return again?.retries.spend(parts.now()) === true ? backoffMs(parts, route.passes(), 10) : null;
}

async function readWhereWritesGo<T>(parts: StoreParts, read: Read, run: Run<T>): Promise<Succeeded<T> | Denial> {
  const { account, now } = parts;
  const { pk, kind, call } = read;
  const insists = read.insists === true;
  let fault: Fault | null = null;
  for (let attempt = 0, failures = 0; ; attempt += 1) {
    if (now() >= call.deadlineAtMs) return outOfTime(fault);
    const limits = { pk, kind, timeoutMs: attemptTimeoutMs(parts, call.deadlineAtMs), isForced: insists };
    const result = await account.write(call, limits, run);
    if (result.kind === 'ok') return result;
    const newest = result.fault;
    if (fault === null || !saysNothing(newest, now() >= call.deadlineAtMs)) fault = newest;
    if (isUnwell(newest) || isLagging(newest)) failures += 1;
    const isWorthTrying = isThrottled(newest) || isMoved(newest) || isUnwell(newest) || isLagging(newest);
    const mayRetry = !isUnwell(newest) || account.regions.write().retries.spend(now());
    if (!isWorthTrying || !mayRetry || (failures > MOST_FAILURES && !insists)) {
      return now() >= call.deadlineAtMs ? outOfTime(fault) : denialOf(newest);
    }
    const waited = await waitWithin(parts, call.deadlineAtMs, askedWaitMs(newest) ?? backoffMs(parts, attempt, 10));
    if (!waited) return outOfTime(fault);
  }
}

function timeoutOf(parts: StoreParts, { kind, call }: Read, isNotAlone: boolean): number {
  const timeoutMs = attemptTimeoutMs(parts, call.deadlineAtMs);
  return isNotAlone ? Math.min(timeoutMs, PATIENCE_MS[kind]) : timeoutMs;
}

/** An attempt that was not made, or was cut off by the deadline, does not change why a read failed. */
function saysNothing(fault: Fault, isOver: boolean): boolean {
  return fault.kind === 'shut' || (fault.kind === 'broken' && isOver);
}

/** What the store said last is told when that is why the time ran out. */
function outOfTime(fault: Fault | null): Denial {
  if (fault !== null && (isThrottled(fault) || isMoved(fault) || isLagging(fault))) return denialOf(fault);
  return deny('deadline_exceeded', 'The deadline passed before the store answered.');
}
