import { z } from 'zod';
import type { EntrySummary } from '#gateway/contract/background.ts';
import type { EntryChange } from '#gateway/feed/feed-port.ts';
import { DoneEntry, isDone, OutboxBody, SweepBody } from '#gateway/store/layout/items.ts';
import type { FeedItem } from './read-changes.ts';

/** An outbox entry as stored, open or done. */
export const EntryItem = z.union([DoneEntry, OutboxBody, SweepBody]);
export type EntryItem = z.infer<typeof EntryItem>;

/** Null for an item that is no outbox entry. One that cannot be read counts as open, so that somebody sees it. */
export function entryChangeOf(item: FeedItem): EntryChange | null {
  const { pk, id } = item;
  if (!id.startsWith('x~')) return null;
  const entry = EntryItem.safeParse(item);
  if (!entry.success) return { ref: { pk, id }, open: unreadable(item) };
  return { ref: { pk, id }, open: isDone(entry.data) ? null : summaryOf(entry.data) };
}

function summaryOf(entry: OutboxBody | SweepBody): EntrySummary {
  const { kind, tenant, fromType: type, fromId: objectId, atMs } = entry;
  const from = { kind, tenant, type, objectId, atMs };
  if (entry.kind === 'sweep') return { ...from, edge: null, items: entry.sweptEdges };
  const { edgeType, inverse, pairs } = entry;
  const [first] = pairs;
  return { ...from, edge: first === undefined ? null : { edgeType, inverse, to: first.to }, items: pairs.length };
}

function unreadable({ pk, _ts }: FeedItem): EntrySummary {
  const [tenant = '', type = '', objectId = ''] = pk.split('|');
  return { kind: 'unreadable', tenant, type, objectId, edge: null, items: 0, atMs: _ts * 1_000 };
}
