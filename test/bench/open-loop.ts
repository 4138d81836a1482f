import { setTimeout as pause } from 'node:timers/promises';

/** One request of the load, timed from when it was due: a store that stalls cannot slow the load down. */
export interface Done {
  readonly kind: 'read' | 'write';
  /** Milliseconds of the clock `performance.now()`. */
  readonly dueAt: number;
  readonly tookMs: number;
  /** `served`, or the code it was refused with. */
  readonly told: string;
}

export interface OpenLoop {
  /** Runs for so long, then waits for what is in flight. */
  run(ms: number): Promise<readonly Done[]>;
}

const TICK_MS = 5;

/** Offers `perSecond` requests whatever becomes of them; `writesPercent` of them are writes. */
export function createOpenLoop(
  load: { readonly perSecond: number; readonly writesPercent: number },
  request: (kind: Done['kind'], index: number) => Promise<string>,
): OpenLoop {
  let sent = 0;
  return {
    async run(ms) {
      const done: Done[] = [];
      const inFlight = new Set<Promise<void>>();
      const startedAt = performance.now();
      for (let index = 0; ; index += 1) {
        const dueAt = startedAt + (index * 1_000) / load.perSecond;
        if (dueAt >= startedAt + ms) break;
        while (performance.now() < dueAt) await pause(TICK_MS);
        sent += 1;
        const kind = (sent * 37) % 100 < load.writesPercent ? 'write' : 'read';
        const one = request(kind, sent).then((told) => {
          done.push({ kind, dueAt, tookMs: performance.now() - dueAt, told });
          inFlight.delete(one);
        });
        inFlight.add(one);
      }
      await Promise.all(inFlight);
      return done;
    },
  };
}

/** `p` between 0 and 1; of the served ones alone. */
export function percentileMs(done: readonly Done[], p: number): number | null {
  const took = done
    .filter(({ told }) => told === 'served')
    .map(({ tookMs }) => tookMs)
    .sort((a, b) => a - b);
  return took[Math.min(took.length - 1, Math.floor(p * took.length))] ?? null;
}

/** How long after `since` the last request was due that failed or took longer than `slowMs`; 0 for none. */
export function recoveryMs(done: readonly Done[], since: number, slowMs: number): number {
  const unwell = done.filter(({ told, tookMs }) => told !== 'served' || tookMs > slowMs);
  return Math.max(0, ...unwell.map(({ dueAt }) => dueAt - since));
}
