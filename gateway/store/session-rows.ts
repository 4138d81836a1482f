import { PARTITION_ROWS } from './write-marks.ts';

/** Short texts in memory that the workers of a process share, one a row. */
export interface SessionRows {
  read(row: number): string;
  /** Replaces a row by what `change` makes of it, unless that is the same; `change` may be called more than once. */
  update(row: number, change: (text: string) => string): void;
  clear(): void;
}

/** Longest text of a row, ASCII. */
export const SESSION_ROW_LENGTH = 248;

const HEAD = 2;
const ROW_BYTES = HEAD * 4 + SESSION_ROW_LENGTH;
/** A change copies a few bytes: whoever meets one spins so often, and then lets the other thread have the processor. */
const MOST_SPINS = 1_000;
/** Far longer than a busy machine keeps a thread from running: the row's thread was ended in the middle of a change. */
const ABANDONED_AFTER_MS = 1_000;

export function allocateSessionRows(): SharedArrayBuffer {
  return new SharedArrayBuffer(PARTITION_ROWS * ROW_BYTES);
}

/** A row is a version, odd while it is being changed, a length, and the text. */
export function openSessionRows(buffer: SharedArrayBuffer): SessionRows {
  const heads = new Int32Array(buffer);
  const bytes = Buffer.from(buffer);
  const headOf = (row: number) => (row * ROW_BYTES) / 4;

  /** A text and its even version, as they were together at some moment. */
  function look(row: number): { readonly version: number; readonly text: string } {
    const from = row * ROW_BYTES + HEAD * 4;
    for (;;) {
      const version = settledVersion(heads, headOf(row));
      const text = bytes.toString('latin1', from, from + Atomics.load(heads, headOf(row) + 1));
      if (Atomics.load(heads, headOf(row)) === version) return { version, text };
    }
  }

  return {
    read: (row) => look(row).text,
    update(row, change) {
      const head = headOf(row);
      for (;;) {
        const { version, text } = look(row);
        const next = change(text);
        if (next === text) return;
        // Computed before the row is taken, so that it is taken for no longer than the copy lasts.
        if (Atomics.compareExchange(heads, head, version, version | 1) !== version) continue;
        bytes.write(next, row * ROW_BYTES + HEAD * 4, SESSION_ROW_LENGTH, 'latin1');
        Atomics.store(heads, head + 1, Math.min(next.length, SESSION_ROW_LENGTH));
        return release(heads, head, version);
      }
    },
    clear() {
      for (let row = 0; row < PARTITION_ROWS; row += 1) {
        const head = headOf(row);
        let version = settledVersion(heads, head);
        while (Atomics.compareExchange(heads, head, version, version | 1) !== version) {
          version = settledVersion(heads, head);
        }
        Atomics.store(heads, head + 1, 0);
        release(heads, head, version);
      }
    },
  };
}

function release(heads: Int32Array, head: number, version: number): void {
  // Nothing is stored by a thread that was taken for dead: the row is somebody else's by then.
  Atomics.compareExchange(heads, head, version | 1, (version + 2) | 0);
  Atomics.notify(heads, head);
}

/**
 * The version of a row that nobody is changing. A thread that holds it may have been put aside by the system for
 * milliseconds; a read that went on without would miss what was written a moment ago.
 */
function settledVersion(heads: Int32Array, head: number): number {
  for (let spin = 0; spin < MOST_SPINS; spin += 1) {
    const version = Atomics.load(heads, head);
    if ((version & 1) === 0) return version;
  }
  for (;;) {
    const version = Atomics.load(heads, head);
    if ((version & 1) === 0) return version;
    if (Atomics.wait(heads, head, version, ABANDONED_AFTER_MS) !== 'timed-out') continue;
    // Half of a text is worth nothing, and the tokens of the next replies fill the row again.
    Atomics.store(heads, head + 1, 0);
    Atomics.compareExchange(heads, head, version, (version + 1) | 0);
  }
}
