/** When a call has to end: its deadline, or its caller's signal, whichever comes first. One timer for all its attempts. */
export interface Stop {
  /** Null while the call may go on. */
  readonly reason: 'deadline' | 'aborted' | null;
  remainingMs(): number;
  /** Runs `act` once when the call has to end, at once when it has to already. Returns how to take it back. */
  onStop(act: () => void): () => void;
  /** To be called when the call is over: lets go of timer and signal. */
  end(): void;
}

export interface StopOptions {
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
}

export function createStop({ deadlineMs, signal, now }: StopOptions): Stop {
  const deadlineAtMs = now() + deadlineMs;
  const acts = new Set<() => void>();
  let reason: Stop['reason'] = null;
  const stop = (why: 'deadline' | 'aborted') => {
    if (reason !== null) return;
    reason = why;
    end();
    for (const act of [...acts]) act();
    acts.clear();
  };
  const abort = () => stop('aborted');
  const timer = setTimeout(() => stop('deadline'), deadlineMs);
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return {
    get reason() {
      return reason;
    },
    remainingMs: () => Math.max(0, deadlineAtMs - now()),
    onStop(act) {
      if (reason === null) acts.add(act);
      else act();
      return () => void acts.delete(act);
    },
    end,
  };
}

/** Resolves after this long, or at once when the call has to end. */
export function pause(ms: number, stop: Stop): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      takeBack();
      resolve();
    };
    const timer = setTimeout(done, ms);
    let takeBack = () => {};
    takeBack = stop.onStop(done);
  });
}
