import { join } from 'node:path';
import { openSpool, type Spool } from './audit/spool.ts';
import { type Cache, createCache } from './cache/create-cache.ts';
import { type Content, createContent } from './content/create-content.ts';
import { openWrapping } from './content/keys/open-wrapping.ts';
import { createHealth } from './http/health.ts';
import { listen } from './http/listen.ts';
import type { Indexes } from './pipeline/indexes.ts';
import type { RecordPort } from './pipeline/record.ts';
import { type Ports, run } from './pipeline/run.ts';
import type { LoadPort } from './pipeline/shed.ts';
import type { Clock } from './pipeline/trace.ts';
import { createQuota } from './quota/quota.ts';
import { createRefusalBucket } from './quota/refusal-bucket.ts';
import { openQuotas } from './quota/table.ts';
import { secretMatches, sha256Hex } from './sealed/credentials.ts';
import { createCursors } from './sealed/cursor.ts';
import { type FleetKeys, fleetKeysFrom } from './sealed/fleet-keys.ts';
import { createObjectIds } from './sealed/object-ids.ts';
import { createSessions } from './sealed/session.ts';
import { createStore, type Store } from './store/create-store.ts';
import { type LoopDelay, measureLoopDelay } from './telemetry/loop-delay.ts';
import { createMisfits } from './telemetry/misfits.ts';
import { createSample } from './telemetry/sample.ts';
import { createSeries } from './telemetry/series.ts';
import { createDecideOnce } from './threads/decide-once.ts';
import type { Link } from './threads/link.ts';
import type { WorkerStart, WorkerStatus } from './threads/messages.ts';

const MAX_IN_FLIGHT = 1_024;
const REPORT_EVERY_MS = 1_000;

export interface Serving {
  readonly port: number;
  serve(indexes: Indexes): void;
  /** Stops accepting, ends what runs, hands over what was counted, closes everything. */
  drain(): Promise<void>;
}

/** Builds one serving thread: every dependency once, by hand, then the listener. */
export async function wire(start: WorkerStart, link: Link, clock: Clock): Promise<Serving> {
  const { env, worker } = start;
  const nowMs = () => clock.nowMs();
  const fleetKeys = fleetKeysOf(env.fleetSecret);
  const sessions = createSessions(fleetKeys);
  const content = createContent({
    ...{ keysDir: env.keysDir, wrapping: openWrapping(env, nowMs), now: nowMs },
    say: (sentence) => say(link, sentence),
    onKeyGone: (tenant) => cache?.dropTenant(tenant),
  });
  const memory = start.storeMemory;
  const store = createStore({ ...env.cosmos, memory, content, clock: { now: nowMs } });
  const cache = env.cacheMb === 0 ? null : createCacheOver({ store, content, clock, bytes: env.cacheMb * 2 ** 20 });
  const delay = measureLoopDelay(() => clock.nowUs() / 1_000);
  const load = createLoad(delay);
  const spool = openSpool({ dir: join(env.stateDir, 'audit'), stream: start.stream, nowMs });
  const reporting = startReporting({ link, gateway: env.name, worker, load, delay, store, spool, content });
  let current: Indexes | null = null;
  const ports: Ports = {
    clock,
    current: () => current,
    credentials: { matches: secretMatches, chargeBadCredential: createRefusalBucket(nowMs) },
    load,
    policy: createDecideOnce(link),
    cursors: createCursors(fleetKeys, nowMs),
    objectIds: createObjectIds(nowMs),
    sha256Hex,
    quota: createQuota(openQuotas(start.quotas, env.workers), { worker, nowNs: process.hrtime.bigint }),
    store: cache ?? store,
    content,
    audit: spool,
    records: reporting.records,
    reportFault: (requestId, error) => say(link, `Request ${requestId}: ${stackOf(error)}`),
  };
  const { host, consoleUrl } = env;
  const listener = await listen({
    ...{ host, port: start.port, reusePort: env.workers > 1, clock, sessions, consoleUrl },
    run: (incoming, write) => run(incoming, write, ports),
    health: healthOver(link),
  });
  return {
    port: listener.port,
    serve: (indexes) => {
      current = indexes;
    },
    drain: async () => {
      await listener.drain();
      reporting.stop();
      spool.close();
      delay.stop();
      await store.close();
    },
  };
}

function createCacheOver(parts: {
  readonly store: Store;
  readonly content: Content;
  readonly clock: Clock;
  readonly bytes: number;
}): Cache {
  const { store, content, clock, bytes } = parts;
  const steadyMs = () => clock.nowUs() / 1_000;
  const { freshness } = store;
  return createCache({ ...{ bytes, store, freshness, content }, clock: { steadyMs, nowMs: () => clock.nowMs() } });
}

function fleetKeysOf(secret: string): FleetKeys {
  const fleet = fleetKeysFrom(secret);
  if ('problem' in fleet) throw new Error(`The fleet secret ${fleet.problem}.`);
  return fleet.keys;
}

/** Only the main thread sees all workers, so it answers for the process. */
function healthOver(link: Link): ReturnType<typeof createHealth> {
  return createHealth({
    readiness: async () => JSON.parse(await link.ask('readiness')),
    metrics: () => link.ask('metrics'),
  });
}

function say(link: Link, sentence: string): void {
  link.send({ kind: 'say', sentence });
}

function createLoad(delay: LoopDelay): LoadPort {
  let inFlight = 0;
  return {
    enter: () => {
      inFlight += 1;
    },
    leave: () => {
      inFlight -= 1;
    },
    inFlight: () => inFlight,
    maxInFlight: MAX_IN_FLIGHT,
    isLate: () => delay.isLate(),
  };
}

interface ReportingParts {
  readonly link: Link;
  readonly gateway: string;
  readonly worker: number;
  readonly load: LoadPort;
  readonly delay: LoopDelay;
  readonly store: Store;
  readonly spool: Spool;
  readonly content: Content;
}

/** Counts and samples finished requests, and hands them with the worker's status to the main thread each second. */
function startReporting(parts: ReportingParts): { readonly records: RecordPort; stop(): void } {
  const { link, gateway, worker, content } = parts;
  const series = createSeries();
  const sample = createSample();
  const misfits = createMisfits();
  const report = () => {
    const records = sample.drain();
    const sealed = content.drainSealed();
    const misfit = misfits.drain();
    content.dropStaleKeys();
    if (!series.isEmpty()) link.send({ kind: 'series', batch: series.drain() });
    if (records.length > 0) link.send({ kind: 'records', records });
    if (misfit.length > 0) link.send({ kind: 'misfits', batch: misfit });
    if (sealed.length > 0) link.send({ kind: 'sealed', batch: sealed });
    link.send({ kind: 'status', ...statusOf(parts) });
  };
  const reporting = setInterval(report, REPORT_EVERY_MS);
  void parts.store.watch().then(report);
  return {
    records: {
      gateway,
      worker,
      finish: (finished) => {
        series.add(finished);
        sample.offer(finished);
        misfits.add(finished);
      },
    },
    stop: () => {
      clearInterval(reporting);
      report();
    },
  };
}

function statusOf({ load, delay, spool, store }: ReportingParts): WorkerStatus {
  const { p99Ms, maxMs } = delay.summary();
  const loop = { loopDelayP99Ms: p99Ms, loopDelayMaxMs: maxMs };
  return { inFlight: load.inFlight(), ...loop, auditLost: spool.lost(), regions: store.regions() };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
