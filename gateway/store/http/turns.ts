/** A queue of callers who wait for one thing each, served in order. */
export interface Turns<T> {
  /** Resolves with what `serve` gives; rejects when the signal aborts or the queue is closed. */
  wait(signal: AbortSignal | undefined): Promise<T>;
  /** Gives the longest waiter what `make` makes; false when nobody waits. */
  serve(make: () => T): boolean;
  waiting(): number;
  close(reason: Error): void;
}

interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export function createTurns<T>(): Turns<T> {
  const waiters: Waiter<T>[] = [];
  return {
    wait: (signal) => join(waiters, signal),
    serve(make) {
      const waiter = waiters.shift();
      waiter?.resolve(make());
      return waiter !== undefined;
    },
    waiting: () => waiters.length,
    close(reason) {
      for (const waiter of waiters.splice(0)) waiter.reject(reason);
    },
  };
}

function join<T>(waiters: Waiter<T>[], signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      waiters.splice(waiters.indexOf(waiter), 1);
      reject(new Error('The deadline passed while waiting for a connection.'));
    };
    const settle = (finish: () => void) => {
      signal?.removeEventListener('abort', giveUp);
      finish();
    };
    const waiter: Waiter<T> = {
      resolve: (value) => settle(() => resolve(value)),
      reject: (error) => settle(() => reject(error)),
    };
    waiters.push(waiter);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });
}
