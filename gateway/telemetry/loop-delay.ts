const TICK_MS = 20;
/** Samples of the last 5 s, which a status report summarises. */
const WINDOW = 250;
/** The loop counts as late when this many measurements in a row were. One long pause is one measurement. */
const LATE_IN_A_ROW = 3;
const LATE_MS = 200;

/**
 * Measures how late the event loop runs a scheduled task: actual minus expected time. (`monitorEventLoopDelay`
 * under-weights long stalls and costs more.)
 */
export interface LoopDelay {
  isLate(): boolean;
  /** Of the last 5 s, milliseconds. */
  summary(): { readonly p99Ms: number; readonly maxMs: number };
  stop(): void;
}

export function measureLoopDelay(nowMs: () => number): LoopDelay {
  const samples: number[] = [];
  let expectedMs = nowMs() + TICK_MS;
  const timer = setInterval(() => {
    samples.push(Math.max(0, nowMs() - expectedMs));
    if (samples.length > WINDOW) samples.shift();
    expectedMs = nowMs() + TICK_MS;
  }, TICK_MS);
  timer.unref();
  return {
    isLate: () => samples.length >= LATE_IN_A_ROW && samples.slice(-LATE_IN_A_ROW).every((ms) => ms > LATE_MS),
    summary: () => {
      const sorted = samples.toSorted((a, b) => a - b);
      const p99Ms = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
      return { p99Ms, maxMs: sorted.at(-1) ?? 0 };
    },
    stop: () => clearInterval(timer),
  };
}
