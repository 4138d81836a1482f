import { hashText } from './hash-text.ts';

/** Rows of the tables that all workers of a process share, by hash of the partition key. */
export const PARTITION_ROWS = 65_536;

/** For so long after a write whose outcome is unknown a copy of it may still arrive: Cosmos ends an operation after 5 s. */
const LATE_FOR_S = 30;

/** `late`: a copy of it may take effect yet. */
export type WriteOutcome = 'done' | 'nothing' | 'late';

/** What this process wrote, by row: two partitions that share one only make the other look written. */
export interface WriteMarks {
  /** Before a batch is sent. */
  begin(pk: string): void;
  /** Once no reply to it can come any more. */
  end(pk: string, outcome: WriteOutcome): void;
  /**
   * A number that differs after any write of the row. Null while one is under way, or may still arrive: then what a read
   * found says nothing about the next one.
   */
  stateOf(row: number): number | null;
  /** As if every row had been written. */
  markAll(): void;
}

export function rowOf(pk: string): number {
  return hashText(pk) % PARTITION_ROWS;
}

export function allocateWriteMarks(): SharedArrayBuffer {
  return new SharedArrayBuffer(PARTITION_ROWS * 3 * 4);
}

/**
 * Per row a count of what took effect, how many writes are under way, and the second until which a late one may arrive.
 * A thread that is ended in the middle of a write leaves its row under way: nothing of it is cached until the process is
 * started again, which is safe, and one row of many.
 */
export function openWriteMarks(shared: SharedArrayBuffer, now: () => number): WriteMarks {
  const counts = new Int32Array(shared, 0, PARTITION_ROWS);
  const underWay = new Int32Array(shared, PARTITION_ROWS * 4, PARTITION_ROWS);
  const lateUntil = new Uint32Array(shared, PARTITION_ROWS * 8, PARTITION_ROWS);
  const nowS = () => Math.floor(now() / 1_000);
  return {
    begin(pk) {
      Atomics.add(underWay, rowOf(pk), 1);
    },
    end(pk, outcome) {
      const row = rowOf(pk);
      if (outcome === 'late') Atomics.store(lateUntil, row, nowS() + LATE_FOR_S);
      if (outcome !== 'nothing') Atomics.add(counts, row, 1);
      // Last: whoever finds nothing under way has to find the count as well.
      Atomics.sub(underWay, row, 1);
    },
    stateOf(row) {
      if (Atomics.load(underWay, row) !== 0) return null;
      const until = Atomics.load(lateUntil, row);
      if (until !== 0 && nowS() < until) return null;
      return Atomics.load(counts, row);
    },
    markAll() {
      for (let row = 0; row < PARTITION_ROWS; row += 1) Atomics.add(counts, row, 1);
    },
  };
}
