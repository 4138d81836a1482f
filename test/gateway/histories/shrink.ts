import { type Entry, isWrite, type ObjectHistory, typesOf } from './history.ts';
import { judge } from './judge.ts';

/** Enough for a history that is being cut down; one that needs more is kept as it was. */
const BUDGET = 30_000;

/** The smallest part of a wrong history that is wrong by itself: cut at the first moment of error, then thinned. */
export function shrink(history: ObjectHistory): ObjectHistory {
  const isWrong = (entries: readonly Entry[]) => judge({ ...history, entries }, BUDGET).kind === 'wrong';
  const ends = history.entries.map(({ endedAt }) => endedAt).sort((a, b) => a - b);
  const firstBad = ends.find((moment) => isWrong(until(history.entries, moment)));
  let entries = firstBad === undefined ? history.entries : until(history.entries, firstBad);
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const part of partsOf(entries)) {
      const fewer = entries.filter((entry) => !part.includes(entry));
      if (fewer.length === entries.length || !isWrong(fewer)) continue;
      entries = fewer;
      isSmaller = true;
    }
  }
  return { ...history, entries };
}

/**
 * What may be left out without making a right history wrong: any one read or refusal, and all writes of an edge type that
 * nothing else looks at.
 */
function partsOf(entries: readonly Entry[]): Entry[][] {
  const looks = entries.filter(({ action, outcome }) => !isWrite(action) || outcome.kind === 'refused');
  const moves = entries.filter(({ action }) => action.op === 'edge.changeType' || action.op === 'commit');
  const needed = new Set([...looks, ...moves].flatMap(({ action }) => typesOf(action)));
  const unseen = [...Map.groupBy(entries, ({ action }) => typesOf(action)[0] ?? null)]
    .filter(([type]) => type !== null && !needed.has(type))
    .map(([, part]) => part);
  return [...looks.map((entry) => [entry]), ...unseen];
}

/** As it stood at a moment: what was on its way then is unknown. */
function until(entries: readonly Entry[], moment: number): readonly Entry[] {
  return entries
    .filter(({ calledAt }) => calledAt <= moment)
    .map(
      (entry): Entry =>
        entry.endedAt <= moment ? entry : { ...entry, outcome: { kind: 'unknown', why: 'still on its way' } },
    );
}
