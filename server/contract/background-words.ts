import type { Drift, EntrySummary } from '#gateway/contract/background.ts';

/** An outbox entry in words, as logs and lists name it. */
export function entryWords({ kind, type, objectId, edge, items }: EntrySummary): string {
  if (kind === 'drift') return `${type} ${objectId}`;
  if (kind === 'sweep') return `the sweep of ${type} ${objectId}`;
  if (kind === 'unreadable' || edge === null) return `an unreadable entry of ${type} ${objectId}`;
  const more = items > 1 ? ` and ${items - 1} more` : '';
  return `the inverse of ${type} ${objectId} —${edge.edgeType}→ ${edge.to}${more}`;
}

/** What differs, as one sentence part a difference: *counts 3 memberOf, its list has 2*. */
export function driftWords({ counts, bytes, inverses }: Drift): readonly string[] {
  return [
    ...counts.map(({ edgeType, counted, listed }) => `counts ${counted} ${edgeType}, its list has ${listed}`),
    ...(bytes === null ? [] : [`counts ${bytes.counted} bytes, ${bytes.stored} are stored`]),
    ...inverses.map(({ edgeType, from, to, what }) =>
      what === 'missing'
        ? `no inverse of ${from} —${edgeType}→ ${to}`
        : `an inverse without ${from} —${edgeType}→ ${to}`,
    ),
  ];
}
