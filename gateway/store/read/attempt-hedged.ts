import type { AttemptCall, Attempted, AttemptLimits, ReadKind, Run, Ticket } from '#gateway/store/regions/attempt.ts';
import type { HedgeBudget } from '#gateway/store/regions/hedge-budget.ts';
import type { Region } from '#gateway/store/regions/region.ts';

export interface HedgedPair {
  readonly first: Region;
  /** A well region that could serve the read as well; null when there is none. */
  readonly second: Region | null;
  readonly limits: AttemptLimits & { readonly kind: ReadKind };
  readonly budget: HedgeBudget;
  readonly now: () => number;
}

/** Below this a second read costs more than it can save: the other region is farther away than that. */
const LEAST_DELAY_MS = 10;

/**
 * One read, and a second one in another region when the first takes longer than 95 % of its kind did there. The reply that
 * comes first is used; a fault is told when no reply can come any more. The slower one is left to finish: cutting it off
 * would cost a connection, and hide from the breaker that a region hangs.
 */
export function attemptHedged<T>(call: AttemptCall, pair: HedgedPair, run: Run<T>): Promise<Attempted<T>> {
  const { first, second, limits } = pair;
  const p95Ms = second === null ? null : first.latency[limits.kind].p95Ms();
  if (second === null || p95Ms === null) return first.attempt(call, limits, run);
  return race(call, { ...pair, second, delayMs: Math.max(p95Ms, LEAST_DELAY_MS) }, run);
}

interface Runner {
  readonly region: Region;
  readonly ticket: Ticket;
  readonly startedAt: number;
  isRunning: boolean;
}

function race<T>(
  call: AttemptCall,
  pair: HedgedPair & { readonly second: Region; readonly delayMs: number },
  run: Run<T>,
): Promise<Attempted<T>> {
  const { first, second, limits } = pair;
  const { promise, resolve, reject } = Promise.withResolvers<Attempted<T>>();
  const runners: Runner[] = [];

  function finish(runner: Runner, result: Attempted<T>): void {
    runner.isRunning = false;
    const others = runners.filter(({ isRunning }) => isRunning);
    if (runner.ticket.overtaken || (result.kind === 'fault' && others.length > 0)) return;
    clearTimeout(timer);
    for (const other of others) overtake(call, { winner: runner, loser: other });
    if (result.kind === 'ok' && runner.ticket.hedge) runner.region.counts.hedgesWon += 1;
    resolve(result);
  }

  function start(region: Region, hedge: boolean): void {
    const ticket = { hedge, overtaken: false, ru: 0 };
    const runner: Runner = { region, ticket, startedAt: performance.now(), isRunning: true };
    runners.push(runner);
    region.attempt(call, { ...limits, ticket }, run).then((result) => finish(runner, result), reject);
  }

  const timer = setTimeout(() => {
    if (second.breaker.state(pair.now()) !== 'closed' || !pair.budget.spend()) return;
    second.counts.hedges += 1;
    start(second, true);
  }, pair.delayMs);
  start(first, false);
  return promise;
}

/** The request that it belonged to ends before its charge is known, which is that of the same read elsewhere. */
function overtake(call: AttemptCall, race: { readonly winner: Runner; readonly loser: Runner }): void {
  const { region, ticket, startedAt } = race.loser;
  ticket.overtaken = true;
  const us = Math.round((performance.now() - startedAt) * 1_000);
  const { ru } = race.winner.ticket;
  const nothing = { status: 0, subStatus: 0, retryAfterMs: null };
  call.meter.add({ ...nothing, ru, us, region: region.name, hedge: ticket.hedge, overtaken: true });
}
