import { type Entry, isWrite, type ObjectHistory, typesOf } from './history.ts';
import { judge } from './judge.ts';

/** Enough for a history that is being cut down; one that needs more is kept as it was. */
const BUDGET = 30_000;

/** The smallest part of a wrong history that is wrong by itself: cut at the first moment of error, then thinned. */
export function shrink(history: ObjectHistory): ObjectHistory {
  const isWrong = (entries: readonly Entry[]) => judge({ ...history, entries }, BUDGET).kind === 'wrong';
  const first = firstUnexplained(history);
  const untilThen = first === null ? history.entries : until(history.entries, first.endedAt);
  let entries = isWrong(untilThen) ? untilThen : history.entries;
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
 * The entry whose end no order was found to explain, together with all that ended before; null when the whole is explained.
 * What is explained is so at every earlier moment too, so half of the moments are left out at a time.
 */
export function firstUnexplained(history: ObjectHistory): Entry | null {
  const byEnd = [...history.entries].sort((a, b) => a.endedAt - b.endedAt);
  let [explained, all] = [0, byEnd.length];
  while (explained < all) {
    const middle = Math.floor((explained + all) / 2);
    const entries = until(history.entries, byEnd[middle]?.endedAt ?? 0);
    if (judge({ ...history, entries }, BUDGET).kind === 'explained') explained = middle + 1;
    else all = middle;
  }
  return byEnd[explained] ?? null;
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
