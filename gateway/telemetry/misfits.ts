import type { Finished } from '#gateway/pipeline/record.ts';

/** Contents of one type that did not fit its schema: type, what became of them, how many. */
export type MisfitBatch = readonly {
  readonly type: string;
  readonly became: 'stored' | 'refused';
  readonly count: number;
}[];

export interface Misfits {
  add(finished: Pick<Finished, 'type' | 'misfit'>): void;
  absorb(batch: MisfitBatch): void;
  totals(): MisfitBatch;
  /** The totals, which then begin anew. */
  drain(): MisfitBatch;
}

/** Counts contents that do not fit, so that a schema can be tried before it is enforced. */
export function createMisfits(): Misfits {
  const sums = new Map<string, MisfitBatch[number]>();
  const addAll = (one: MisfitBatch[number]) => {
    const key = `${one.type}|${one.became}`;
    sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
  };
  return {
    add: ({ type, misfit }) => {
      if (type !== null && misfit !== null) addAll({ type, became: misfit, count: 1 });
    },
    absorb: (batch) => batch.forEach(addAll),
    totals: () => [...sums.values()],
    drain: () => {
      const batch = [...sums.values()];
      sums.clear();
      return batch;
    },
  };
}
