import type { StoreCredential } from './azure/credential.ts';
import { openSigning } from './azure/credential.ts';
import { ensureContainer, isLocalEndpoint } from './ensure-container.ts';
import { type Fault, isDefinite, isMoved, isUnwell } from './errors.ts';
import { createAttemptScopes } from './http/attempt-scope.ts';
import { CONTAINER } from './layout/container.ts';
import type { PointLane } from './points/point-reads.ts';
import type { AttemptCall, Attempted, AttemptLimits, Run } from './regions/attempt.ts';
import { createHedgeBudget, type HedgeBudget } from './regions/hedge-budget.ts';
import type { Region, RegionParts } from './regions/region.ts';
import { openRegionTable } from './regions/shared-table.ts';
import { createTopology, type Topology, type TopologyOptions } from './regions/topology.ts';
import { createSessionTokens, type SessionTokens } from './session-tokens.ts';
import type { StoreMemory } from './store-memory.ts';
import { openWriteMarks, type WriteMarks } from './write-marks.ts';

export interface AccountOptions extends TopologyOptions {
  readonly credential: StoreCredential;
  readonly pointReads: PointLane;
  readonly now: () => number;
  readonly random: () => number;
  /** Of this process to each region. */
  readonly maxConnections: number;
  readonly memory: StoreMemory;
}

/** A Cosmos account: its regions, and which of them is asked for what. */
export interface Account {
  readonly tokens: SessionTokens;
  readonly writes: WriteMarks;
  readonly regions: Topology;
  readonly hedges: HedgeBudget;
  /**
   * One attempt in the region that takes writes. When that says that writes moved, or does not answer, the account document
   * is read again, so that the next attempt goes where writes go now.
   */
  write<T>(call: AttemptCall, limits: AttemptLimits, run: Run<T>): Promise<Attempted<T>>;
  /** Regions of a read, nearest first; waits until the account document was asked for once. */
  reads(timeoutMs: number): readonly Region[] | Promise<readonly Region[]>;
  close(): Promise<void>;
}

export function createAccount(options: AccountOptions): Account {
  const { host, origin } = new URL(options.endpoint);
  const scopes = createAttemptScopes();
  // The name in tokens is the configured host and not the document's id: a client carries it over restarts, also over
  // one at which the document cannot be read.
  const tokens = createSessionTokens({ account: host, container: CONTAINER }, options.memory.sessions);
  const writes = openWriteMarks(options.memory.writes, options.now);
  const containers = createContainers(isLocalEndpoint(origin), () => regions.write());
  let forgotAtMs = 0;
  const parts: RegionParts = {
    ...options,
    scopes,
    tokens,
    signing: openSigning(options.credential, { ...options, scopes }),
    table: openRegionTable(options.memory.regions),
    prepare: (signal) => containers.prepare(signal),
    onContainerMissing() {
      containers.doubt();
      // All requests meet the same hole; forgetting takes milliseconds.
      if (Math.abs(options.now() - forgotAtMs) < FORGET_EVERY_MS) return;
      forgotAtMs = options.now();
      tokens.forget();
      writes.markAll();
      for (const region of new Set([...regions.reads(), regions.write()])) region.reopen();
    },
  };
  const regions = createTopology(options, parts);
  return {
    tokens,
    writes,
    regions,
    hedges: createHedgeBudget(parts.table),
    async write(call, limits, run) {
      await settled(regions, limits.timeoutMs);
      const result = await regions.write().attempt(call, limits, run);
      if (result.kind === 'ok' || !mayHaveMoved(result.fault)) return result;
      const refreshing = regions.refresh();
      // What may have happened is asked about again in any case; what did not happen is best sent to the right region.
      if (isDefinite(result.fault)) await within(refreshing, limits.timeoutMs);
      return result;
    },
    reads(timeoutMs) {
      const settling = settled(regions, timeoutMs);
      return settling === null ? regions.reads() : settling.then(() => regions.reads());
    },
    close: () => regions.close(),
  };
}

/** How often a missing container makes a worker forget what it learnt of it. */
const FORGET_EVERY_MS = 1_000;

/** A region that takes no writes says so; one that is down cannot. */
function mayHaveMoved(fault: Fault): boolean {
  return fault.kind === 'shut' || isUnwell(fault) || isMoved(fault);
}

function settled(regions: Topology, timeoutMs: number): Promise<void> | null {
  const settling = regions.settling();
  return settling === null ? null : within(settling, timeoutMs);
}

async function within(work: Promise<void>, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/**
 * The container of a local endpoint, made when missing, before the first attempt. A container that is gone takes its
 * session tokens along, ours and those that the SDK keeps: no successor reaches them.
 */
function createContainers(isLocal: boolean, write: () => Region) {
  let isThere = !isLocal;
  let making: Promise<void> | null = null;
  const look = async () => {
    // Whatever prevents it meets the attempt as well, which says so better; and other regions serve reads without it.
    await ensureContainer(write().client()).catch(() => undefined);
    isThere = true;
    making = null;
  };
  return {
    doubt() {
      isThere = !isLocal;
    },
    prepare(signal: AbortSignal): Promise<void> | null {
      if (isThere) return null;
      making ??= look();
      return Promise.race([making, aborted(signal)]);
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
