import { type Drift, MOST_NAMED, type WaitingEntry } from '#gateway/contract/background.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { Census } from '#gateway/store/feed/census.ts';
import type { CountedEdge } from '#gateway/store/feed/counted-item.ts';
import type { PairCheck } from '#gateway/store/repair/check-pair.ts';
import type { FeedWorker } from './worker.ts';

/** Between two checks of 2 RU each, so that a gateway's checks stay under 20 request units a second. */
const PAUSE_MS = 100;

type Named = Drift['inverses'][number];

export interface DriftStore {
  /** Looks at the other half of an edge; null when its type is not mirrored. */
  checkEdge(edge: CountedEdge): Promise<PairCheck | Denial | null>;
  /** Looks once more at an inverse that differed; null when its type is not mirrored any more. */
  checkNamed(pk: string, named: Named): Promise<PairCheck | Denial | null>;
}

export interface DriftWatch {
  readonly worker: Pick<FeedWorker, 'drifts' | 'changeDrift'>;
  readonly store: DriftStore;
  readonly pause: (ms: number) => Promise<void>;
}

export interface Counted {
  readonly range: string;
  readonly census: Pick<Census, 'drift' | 'unsure'>;
  readonly sample: readonly CountedEdge[];
}

/**
 * Keeps the drift entries of a range in step with what a count found: heads at once, then inverses, first those that
 * differed before, then a sample. What could not be looked at stays as it was known.
 */
export async function watchDrift(watch: DriftWatch, { range, census, sample }: Counted): Promise<void> {
  const known = watch.worker.drifts(range);
  noteCounts(watch, { range, census, known });
  for (const { ref, summary } of known) {
    for (const named of summary.drift?.inverses ?? []) await recheck(watch, { range, pk: ref.pk, named });
  }
  for (const edge of sample) await check(watch, { range, edge });
}

interface Noting {
  readonly range: string;
  readonly census: Counted['census'];
  readonly known: readonly WaitingEntry[];
}

function noteCounts({ worker }: DriftWatch, { range, census, known }: Noting): void {
  const found = new Map(census.drift.map(({ pk, drift }) => [pk, drift]));
  const unsure = new Set(census.unsure);
  for (const pk of new Set([...found.keys(), ...known.map(({ ref }) => ref.pk)])) {
    if (unsure.has(pk)) continue;
    const { counts = [], bytes = null } = found.get(pk) ?? {};
    const more = bytes !== null && bytes.counted < bytes.stored ? bytes : null;
    worker.changeDrift(range, pk, (drift) => ({ ...drift, counts: counts.slice(0, MOST_NAMED), bytes: more }));
  }
}

async function recheck({ worker, store, pause }: DriftWatch, on: { range: string; pk: string; named: Named }) {
  const { range, pk, named } = on;
  const result = await store.checkNamed(pk, named);
  await pause(PAUSE_MS);
  if (result !== null && (isDenial(result) || result.drift !== null)) return;
  worker.changeDrift(range, pk, (drift) => ({
    ...drift,
    inverses: drift.inverses.filter((one) => keyOf(one) !== keyOf(named)),
  }));
}

async function check({ worker, store, pause }: DriftWatch, { range, edge }: { range: string; edge: CountedEdge }) {
  const result = await store.checkEdge(edge);
  if (result === null) return;
  await pause(PAUSE_MS);
  if (isDenial(result) || result.drift === null) return;
  const { drift: found } = result;
  worker.changeDrift(range, edge.pk, (drift) => ({
    ...drift,
    inverses: [...drift.inverses.filter((one) => keyOf(one) !== keyOf(found)), found].slice(0, MOST_NAMED),
  }));
}

function keyOf({ edgeType, from, to }: Named): string {
  return JSON.stringify([edgeType, from, to]);
}
