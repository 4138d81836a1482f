/** Cuts one attempt off when its time is up. */
export interface AttemptTimer {
  readonly signal: AbortSignal;
  /** Whether the time was up, and why that may not be the store's doing. */
  outcome(): 'inTime' | 'timedOut' | 'stalled';
  elapsedUs(): number;
  stop(): void;
}

/** A timer that fires so much too late tells of a busy event loop, not of a slow store. */
const STALL_MS = 150;

export function startAttemptTimer(timeoutMs: number): AttemptTimer {
  const abort = new AbortController();
  const startedAt = performance.now();
  let outcome: ReturnType<AttemptTimer['outcome']> = 'inTime';
  let isStopped = false;
  const cut = () => {
    if (isStopped) return;
    outcome = performance.now() - startedAt - timeoutMs > STALL_MS ? 'stalled' : 'timedOut';
    abort.abort();
  };
  // Replies that came while the loop was busy are read between the timer and the immediate: they win.
  const timer = setTimeout(() => setImmediate(cut), timeoutMs);
  return {
    signal: abort.signal,
    outcome: () => outcome,
    elapsedUs: () => (performance.now() - startedAt) * 1_000,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
