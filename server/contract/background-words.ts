import type { EntrySummary } from '#gateway/contract/background.ts';

/** An outbox entry in words, as logs and lists name it. */
export function entryWords({ kind, type, objectId, edge, items }: EntrySummary): string {
  if (kind === 'sweep') return `the sweep of ${type} ${objectId}`;
  if (kind === 'unreadable' || edge === null) return `an unreadable entry of ${type} ${objectId}`;
  const more = items > 1 ? ` and ${items - 1} more` : '';
  return `the inverse of ${type} ${objectId} —${edge.edgeType}→ ${edge.to}${more}`;
}
