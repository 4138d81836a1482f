import type { CosmosClient } from '@azure/cosmos';
import type { Signing } from '#gateway/store/azure/credential.ts';
import { assertFifo } from '#gateway/store/http/assert-fifo.ts';
import { createFreeList, type FreeListStats } from '#gateway/store/http/free-list.ts';
import { createHttpClient } from '#gateway/store/http/http-client.ts';
import type { PointLane } from '#gateway/store/points/point-reads.ts';
import { createRestPoints } from '#gateway/store/points/rest-points.ts';
import { createSdkPoints } from '#gateway/store/points/sdk-points.ts';
import {
  type AttemptCall,
  type Attempted,
  type AttemptLimits,
  type AttemptMeans,
  type ReadKind,
  type RegionCounts,
  type Run,
  runAttempt,
} from './attempt.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { createLatency, type Latency } from './latency.ts';
import { openClient, readAccount } from './region-client.ts';
import { createRetryBudget, type RetryBudget } from './retry-budget.ts';
import { type RegionTable, slotOf, TIME, takeLease } from './shared-table.ts';

/** One regional endpoint of the account: a client of its own over connections of its own. */
export interface Region {
  readonly origin: string;
  /** As the account document names it; the host until that was read. */
  name: string;
  readonly breaker: Breaker;
  readonly counts: RegionCounts;
  readonly latency: Readonly<Record<ReadKind, Latency>>;
  /** To be asked before a request that met the region unwell is sent to it again. */
  readonly retries: RetryBudget;
  /** Runs one attempt, or none when the breaker is open, and cuts it off after `timeoutMs`. */
  attempt<T>(call: AttemptCall, limits: AttemptLimits, run: Run<T>): Promise<Attempted<T>>;
  /** True for the one thread of the process that is to check the region now. */
  takeCheck(span: { readonly nowMs: number; readonly untilMs: number }): boolean;
  client(): CosmosClient;
  readAccount(signal: AbortSignal): Promise<unknown>;
  /** Forgets what the client learnt of a container that is gone. */
  reopen(): void;
  connections(): FreeListStats;
  close(): Promise<void>;
}

export interface RegionParts
  extends Pick<AttemptMeans, 'scopes' | 'tokens' | 'now' | 'prepare' | 'onContainerMissing'> {
  readonly signing: Signing;
  readonly pointReads: PointLane;
  readonly table: RegionTable;
  readonly random: () => number;
  readonly maxConnections: number;
}

/** Throws if connections would not be reused in the order A B C A B C. Opens none. */
export function createRegion(at: { readonly url: string; readonly name: string }, parts: RegionParts): Region {
  const { origin } = new URL(at.url);
  const list = createFreeList({ ...parts, origin });
  assertFifo(list);
  const { signing, scopes, now } = parts;
  const options = { endpoint: origin, ...signing.sdk, httpClient: createHttpClient(list, scopes) };
  let { client, container } = openClient(options);
  const slot = slotOf(parts.table, origin);
  const means: AttemptMeans = {
    ...parts,
    regionName: () => region.name,
    container: () => container,
    points:
      parts.pointReads === 'rest'
        ? createRestPoints({ origin, list, scopes, sign: signing.read, now })
        : createSdkPoints(() => container),
    breaker: createBreaker(slot, parts.random),
    counts: { attempts: 0, failures: 0, throttled: 0, hedges: 0, hedgesWon: 0 },
    latency: { point: createLatency(), query: createLatency() },
  };
  const { breaker, counts, latency } = means;
  const retries = createRetryBudget(slot);
  const region: Region = {
    ...{ origin, name: at.name, breaker, counts, latency, retries },
    attempt(call, limits, run) {
      const admission = breaker.admit(now(), limits.isLastResort) ?? (limits.isForced === true ? 'forced' : null);
      if (admission === null) return Promise.resolve({ kind: 'fault', fault: { kind: 'shut', region: region.name } });
      retries.earn(now());
      return runAttempt(means, { call, run, admission }, limits);
    },
    takeCheck: (span) => takeLease(slot.times, TIME.checkDue, span),
    client: () => client,
    readAccount: (signal) => readAccount(options, signal),
    reopen() {
      client.dispose();
      ({ client, container } = openClient(options));
    },
    connections: () => list.stats(),
    async close() {
      client.dispose();
      await list.close();
    },
  };
  return region;
}
