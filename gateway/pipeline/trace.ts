import type { ReleaseId } from '#gateway/contract/release.ts';
import type { AttemptRecord, RequestRecord, Stage } from '#gateway/contract/telemetry.ts';
import type { Misfit } from './content-check.ts';
import type { KeyEntry } from './indexes.ts';
import type { Incoming } from './request.ts';
import type { Target, Touch } from './resolve.ts';
import type { CacheFound } from './serving-port.ts';
import type { StoreMeter } from './store-port.ts';

/** The clocks of a process: epoch milliseconds for what is written down, microseconds for durations. */
export interface Clock {
  nowMs(): number;
  nowUs(): number;
}

/** What one request leaves behind while it runs; `record.ts` reads it at the end. */
export interface Trace extends StoreMeter {
  readonly incoming: Incoming;
  readonly atMs: number;
  readonly attempts: AttemptRecord[];
  readonly stages: Partial<Record<Stage, number>>;
  lastMarkUs: number;
  ru: number;
  release: ReleaseId | null;
  key: KeyEntry | null;
  target: Target | null;
  policy: string | null;
  quota: RequestRecord['quota'];
  /** Whether the cache had what was read; null when it was not looked at. */
  cache: CacheFound | null;
  /** What the audit holds an intent of that waits for its outcome. */
  readonly intents: Touch[];
  /** Versions that the request wrote. */
  readonly versions: Map<Touch, string>;
  /** Where the content does not fit its type's schema. */
  misfit: Misfit | null;
  /** Entries of `Habitat-Deprecated`. */
  readonly deprecated: Set<string>;
}

/** Begins the trace of a request. What passed since its first byte is its `queue` stage. */
export function startTrace(incoming: Incoming, clock: Clock): Trace {
  const attempts: AttemptRecord[] = [];
  const trace: Trace = {
    incoming,
    atMs: clock.nowMs(),
    attempts,
    stages: {},
    lastMarkUs: incoming.arrivedUs,
    ru: 0,
    release: null,
    key: null,
    target: null,
    policy: null,
    quota: null,
    cache: null,
    intents: [],
    versions: new Map(),
    misfit: null,
    deprecated: new Set(),
    add: (attempt) => {
      attempts.push(attempt);
      trace.ru += attempt.ru;
    },
  };
  mark(trace, 'queue', clock);
  return trace;
}

/** A request is a hit when all of it is. */
export function noteCache(trace: Trace, found: CacheFound): void {
  if (trace.cache !== 'miss') trace.cache = found;
}

/** Books the time since the last mark to a stage. */
export function mark(trace: Trace, stage: Stage, clock: Clock): void {
  const nowUs = clock.nowUs();
  trace.stages[stage] = (trace.stages[stage] ?? 0) + Math.max(0, Math.round(nowUs - trace.lastMarkUs));
  trace.lastMarkUs = nowUs;
}
