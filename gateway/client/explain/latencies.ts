import type { RequestNote } from '#gateway/client/calls/note.ts';

const KEPT = 512;
const LEAST = 20;

/** How long the last requests of each kind took, retries included. */
export interface Latencies {
  note(note: RequestNote): void;
  /** Null when fewer than 20 were made. */
  p99Ms(operation: string): number | null;
}

export function createLatencies(): Latencies {
  const byOperation = new Map<string, { readonly last: number[]; next: number }>();
  return {
    note({ operation, startedAtMs, endedAtMs }) {
      const known = byOperation.get(operation) ?? { last: [], next: 0 };
      known.last[known.next] = endedAtMs - startedAtMs;
      known.next = (known.next + 1) % KEPT;
      byOperation.set(operation, known);
    },
    p99Ms(operation) {
      const { last = [] } = byOperation.get(operation) ?? {};
      if (last.length < LEAST) return null;
      return last.toSorted((a, b) => a - b)[Math.ceil(last.length * 0.99) - 1] ?? null;
    },
  };
}
