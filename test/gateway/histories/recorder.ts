import type { Entry } from './history.ts';

/** Collects the operations of a run, and gives every call and every end its place in one order. */
export interface Recorder {
  readonly entries: readonly Entry[];
  /** The next place in the order. */
  tick(): number;
  add(entry: Omit<Entry, 'id'>): Entry;
  /** Operations that were begun so far. */
  begun(): number;
  begin(): void;
  /** Resolves when so many operations were begun, or the run is over. */
  reached(operations: number): Promise<void>;
  over(): void;
}

export function createRecorder(): Recorder {
  const entries: Entry[] = [];
  let waiting: { readonly at: number; readonly wake: () => void }[] = [];
  let place = 0;
  let begun = 0;
  const wakeThose = (isDue: (at: number) => boolean) => {
    for (const { at, wake } of waiting) if (isDue(at)) wake();
    waiting = waiting.filter(({ at }) => !isDue(at));
  };
  return {
    entries,
    tick: () => place++,
    add(entry) {
      const whole = { ...entry, id: entries.length + 1 };
      entries.push(whole);
      return whole;
    },
    begun: () => begun,
    begin() {
      begun += 1;
      wakeThose((at) => at <= begun);
    },
    reached: (at) => (at <= begun ? Promise.resolve() : new Promise((wake) => waiting.push({ at, wake }))),
    over() {
      begun = Number.POSITIVE_INFINITY;
      wakeThose(() => true);
    },
  };
}
