import { Worker } from 'node:worker_threads';
import type { GatewayEnv } from '#gateway/env.ts';
import { forgetWorker, openQuotas } from '#gateway/quota/table.ts';
import type { RegionStatus } from '#gateway/store/regions/health.ts';
import type { StoreMemory } from '#gateway/store/store-memory.ts';
import { addGone, mergeRegions } from './merge-regions.ts';
import type { FromWorker, ReleaseMessage, ToWorker, WorkerStart, WorkerStatus } from './messages.ts';

/** A busy machine may take this long to load a worker. */
const START_TIMEOUT_MS = 120_000;
const SWAP_TIMEOUT_MS = 30_000;
const MAX_RESTART_DELAY_MS = 10_000;
/** A worker that ran this long failed by itself, not at its start. */
const HEALTHY_MS = 30_000;

export interface SupervisorPorts {
  readonly env: GatewayEnv;
  readonly port: number;
  readonly quotas: SharedArrayBuffer;
  readonly storeMemory: StoreMemory;
  readonly boot: string;
  readonly nowMs: () => number;
  readonly say: (sentence: string) => void;
  /** Everything a worker says but what the supervisor itself needs. `reply` answers that worker. */
  onMessage(message: FromWorker, reply: (answer: ToWorker) => void): void;
  onStream(stream: string, isLive: boolean): void;
}

export interface Supervisor {
  /** Starts all workers; resolves when each listens. Rejects when one cannot start. */
  start(): Promise<void>;
  /** Makes the workers serve a release, one after another. Returns a sentence when one cannot; then none does. */
  swap(message: ReleaseMessage): Promise<string | null>;
  statuses(): readonly (WorkerStatus | null)[];
  /** The store's regions as all workers see them, counts since the gateway started. */
  regions(): readonly RegionStatus[];
  drain(): Promise<void>;
}

interface Seat {
  readonly index: number;
  worker: Worker | null;
  startedMs: number;
  starts: number;
  listening: boolean;
  serving: string | null;
  problem: string | null;
  status: WorkerStatus | null;
  /** Called whenever something of this seat changed. */
  wake: () => void;
}

/** The seats and what they shall do. */
interface Crew {
  readonly ports: SupervisorPorts;
  readonly seats: readonly Seat[];
  /** The release that every worker serves, also one that starts later. */
  wanted: ReleaseMessage | null;
  stopping: boolean;
  /** What workers that ended counted. */
  gone: readonly RegionStatus[];
}

/** Keeps the serving threads running: one that dies is started again with the release that the others serve. */
export function createSupervisor(ports: SupervisorPorts): Supervisor {
  const seats = Array.from({ length: ports.env.workers }, (_, index) => emptySeat(index));
  const crew: Crew = { ports, seats, wanted: null, stopping: false, gone: [] };
  return {
    start: async () => {
      for (const seat of seats) startSeat(seat, crew);
      for (const seat of seats) {
        await waitFor(seat, () => seat.listening || seat.worker === null, START_TIMEOUT_MS);
        if (!seat.listening) throw new Error(seat.problem ?? `Worker ${seat.index} did not start.`);
      }
    },
    swap: async (message) => {
      const before = crew.wanted;
      crew.wanted = message;
      for (const seat of seats) {
        const problem = await swapSeat(seat, message);
        if (problem === null) continue;
        crew.wanted = before;
        if (before !== null) for (const one of seats) one.worker?.postMessage(before);
        return problem;
      }
      return null;
    },
    statuses: () => seats.map(({ status }) => status),
    regions: () =>
      mergeRegions(
        seats.map(({ status }) => status?.regions ?? []),
        [crew.gone],
      ),
    drain: async () => {
      crew.stopping = true;
      await Promise.all(seats.map((seat) => drainSeat(seat)));
    },
  };
}

function startSeat(seat: Seat, crew: Crew): void {
  const { env, port, quotas, storeMemory, boot, nowMs, onStream } = crew.ports;
  seat.starts += 1;
  seat.startedMs = nowMs();
  const stream = `${env.name}.${boot}.w${seat.index}.${seat.starts}`;
  onStream(stream, true);
  const workerData: WorkerStart = { env, worker: seat.index, port, quotas, storeMemory, stream };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
  seat.worker = worker;
  worker.on('message', (message: FromWorker) => receive(seat, message, crew.ports));
  worker.on('error', (error) => {
    seat.problem = error.message;
  });
  worker.on('exit', () => {
    onStream(stream, false);
    onExit(seat, crew);
  });
  if (crew.wanted !== null) worker.postMessage(crew.wanted);
}

function receive(seat: Seat, message: FromWorker, ports: SupervisorPorts): void {
  if (message.kind === 'listening') seat.listening = true;
  else if (message.kind === 'status') seat.status = message;
  else if (message.kind === 'swapped') {
    seat.serving = message.problem === null ? message.sha256 : seat.serving;
    seat.problem = message.problem;
  } else ports.onMessage(message, (answer) => seat.worker?.postMessage(answer));
  seat.wake();
}

function onExit(seat: Seat, crew: Crew): void {
  const { env, quotas, nowMs, say } = crew.ports;
  const failedAtFirst = !seat.listening && seat.starts === 1;
  const reason = seat.problem ?? 'it ended';
  crew.gone = addGone(crew.gone, seat.status?.regions ?? []);
  Object.assign(seat, { worker: null, listening: false, serving: null, status: null });
  forgetWorker(openQuotas(quotas, env.workers), seat.index);
  seat.wake();
  if (crew.stopping || failedAtFirst) return;
  const isHealthy = nowMs() - seat.startedMs > HEALTHY_MS;
  const delayMs = isHealthy ? 0 : Math.min(100 * 2 ** Math.min(seat.starts, 10), MAX_RESTART_DELAY_MS);
  say(`Worker ${seat.index} stopped (${reason}); it starts again.`);
  setTimeout(() => {
    if (!crew.stopping) startSeat(seat, crew);
  }, delayMs);
}

async function swapSeat(seat: Seat, message: ReleaseMessage): Promise<string | null> {
  seat.problem = null;
  seat.worker?.postMessage(message);
  const isDone = () => seat.serving === message.sha256 || (seat.problem !== null && seat.worker !== null);
  const inTime = await waitFor(seat, isDone, SWAP_TIMEOUT_MS);
  if (!inTime) return `Worker ${seat.index} did not take the release within ${SWAP_TIMEOUT_MS / 1_000} s.`;
  return seat.serving === message.sha256 ? null : `Worker ${seat.index}: ${seat.problem}`;
}

async function drainSeat(seat: Seat): Promise<void> {
  const { worker } = seat;
  if (worker === null) return;
  const drained = new Promise<void>((resolve) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'drained') resolve();
    });
    worker.on('exit', () => resolve());
  });
  worker.postMessage({ kind: 'drain' } satisfies ToWorker);
  await drained;
  await worker.terminate();
}

function waitFor(seat: Seat, isDone: () => boolean, timeoutMs: number): Promise<boolean> {
  if (isDone()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (result: boolean) => {
      clearTimeout(timer);
      seat.wake = () => {};
      resolve(result);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    seat.wake = () => {
      if (isDone()) end(true);
    };
  });
}

function emptySeat(index: number): Seat {
  return {
    index,
    worker: null,
    startedMs: 0,
    starts: 0,
    listening: false,
    serving: null,
    problem: null,
    status: null,
    wake: () => {},
  };
}
