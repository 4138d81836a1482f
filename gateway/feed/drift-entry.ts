import { createHash } from 'node:crypto';
import type { Drift, EntryRef, EntrySummary } from '#gateway/contract/background.ts';
import { unescapeId } from '#gateway/store/layout/keys.ts';

export const NO_DRIFT: Drift = { counts: [], bytes: null, inverses: [] };

/** Drift has no item of its own; it is named by its partition, short enough for an item id. */
export function driftRef(pk: string): EntryRef {
  return { pk, id: `d~${createHash('sha256').update(pk).digest('base64url').slice(0, 22)}` };
}

export function isDriftRef({ id }: EntryRef): boolean {
  return id.startsWith('d~');
}

/** Null when everything agrees. */
export function driftSummary(pk: string, drift: Drift, sinceMs: number): EntrySummary | null {
  const items = drift.counts.length + Number(drift.bytes !== null) + drift.inverses.length;
  if (items === 0) return null;
  const [tenant = '', type = '', id = ''] = pk.split('|');
  return { kind: 'drift', tenant, type, objectId: unescapeId(id), edge: null, items, atMs: sinceMs, drift };
}
