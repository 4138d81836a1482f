import type { Codec } from './codec.ts';

/** Contents of one type that were sealed in one way. Types come from the release, so their number is bounded. */
export interface SealedCount {
  readonly type: string;
  readonly codec: Codec;
  readonly contents: number;
  readonly plainBytes: number;
  /** Bytes of the envelopes, before base64. */
  readonly storedBytes: number;
}

export type SealedBatch = readonly SealedCount[];

export interface SealedCounts {
  add(one: Omit<SealedCount, 'contents'>): void;
  absorb(batch: SealedBatch): void;
  totals(): SealedBatch;
  /** The totals, which then begin anew. */
  drain(): SealedBatch;
}

/** How many bytes came in and how many were stored, by type and codec: what compression is worth for each. */
export function createSealedCounts(): SealedCounts {
  const sums = new Map<string, SealedCount>();
  const addAll = (one: SealedCount) => {
    const key = `${one.type}|${one.codec}`;
    const sum = sums.get(key) ?? { ...one, contents: 0, plainBytes: 0, storedBytes: 0 };
    sums.set(key, {
      ...sum,
      contents: sum.contents + one.contents,
      plainBytes: sum.plainBytes + one.plainBytes,
      storedBytes: sum.storedBytes + one.storedBytes,
    });
  };
  return {
    add: (one) => addAll({ ...one, contents: 1 }),
    absorb: (batch) => batch.forEach(addAll),
    totals: () => [...sums.values()],
    drain: () => {
      const batch = [...sums.values()];
      sums.clear();
      return batch;
    },
  };
}
