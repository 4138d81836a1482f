/** Short texts in memory that the workers of a process share, one a row. */
export interface SessionRows {
  read(row: number): string;
  /** Replaces a row by what `change` makes of it, unless that is the same. */
  update(row: number, change: (text: string) => string): void;
  clear(): void;
}

export const SESSION_ROWS = 65_536;
/** Longest text of a row, ASCII. */
export const SESSION_ROW_LENGTH = 248;

const HEAD = 2;
const ROW_BYTES = HEAD * 4 + SESSION_ROW_LENGTH;
/** A row that stays locked so long belonged to a thread that was ended inside the few instructions of a change. */
const MOST_SPINS = 10_000;

export function allocateSessionRows(): SharedArrayBuffer {
  return new SharedArrayBuffer(SESSION_ROWS * ROW_BYTES);
}

/** A row is a version, odd while it is being changed, a length, and the text. */
export function openSessionRows(buffer: SharedArrayBuffer): SessionRows {
  const heads = new Int32Array(buffer);
  const bytes = Buffer.from(buffer);
  const headOf = (row: number) => (row * ROW_BYTES) / 4;

  function textOf(row: number): string {
    const from = row * ROW_BYTES + HEAD * 4;
    return bytes.toString('latin1', from, from + Atomics.load(heads, headOf(row) + 1));
  }

  function lock(head: number): number {
    for (let spin = 0; ; spin += 1) {
      const version = Atomics.load(heads, head);
      const isFree = (version & 1) === 0 || spin > MOST_SPINS;
      const locked = version | 1;
      if (isFree && Atomics.compareExchange(heads, head, version, locked) === version) return locked;
    }
  }

  return {
    read(row) {
      const head = headOf(row);
      for (let spin = 0; spin < MOST_SPINS; spin += 1) {
        const version = Atomics.load(heads, head);
        if ((version & 1) === 1) continue;
        const text = textOf(row);
        if (Atomics.load(heads, head) === version) return text;
      }
      return '';
    },
    update(row, change) {
      const head = headOf(row);
      const locked = lock(head);
      const before = textOf(row);
      const text = change(before);
      if (text !== before) {
        bytes.write(text, row * ROW_BYTES + HEAD * 4, SESSION_ROW_LENGTH, 'latin1');
        Atomics.store(heads, head + 1, Math.min(text.length, SESSION_ROW_LENGTH));
      }
      Atomics.store(heads, head, (locked + 1) | 0);
    },
    clear() {
      for (let row = 0; row < SESSION_ROWS; row += 1) Atomics.store(heads, headOf(row) + 1, 0);
    },
  };
}
