import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { Idempotency, WriteCall } from '#gateway/pipeline/store-port.ts';
import { RECORD_ABSENT_FROM_MS, RECORD_TTL_S, RecordItem } from '#gateway/store/layout/items.ts';
import { recordId } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { type ReadItem, readItem } from '#gateway/store/read/read-item.ts';
import type { Body } from './guarded-batch.ts';

/** What is kept of a keyed write for 24 hours: the hash of its request and its outcome. */
export function recordBody(
  pk: string,
  idempotency: Idempotency,
  write: { readonly w: string; readonly nowMs: number; readonly outcome: unknown },
): Body {
  const { w, nowMs, outcome } = write;
  return { id: recordId(idempotency), pk, q: idempotency.requestSha256, w, atMs: nowMs, outcome, ttl: RECORD_TTL_S };
}

/** A critical read of the record of the call's key. */
export function readRecord(
  parts: StoreParts,
  at: { readonly pk: string; readonly idempotency: Idempotency; readonly insists?: boolean },
  call: WriteCall,
): Promise<ReadItem<RecordItem> | Denial> {
  const { pk, idempotency, insists = false } = at;
  return readItem(parts, { pk, id: recordId(idempotency), schema: RecordItem, consistency: 'critical', insists }, call);
}

/** Whether a record is so old that it counts as absent. */
export function isSpent(record: RecordItem, nowMs: number): boolean {
  return nowMs >= record.atMs + RECORD_ABSENT_FROM_MS;
}

/** The record that an earlier request of this key left, or null: looked for before a refusal that a read decided. */
export async function findReplay(
  parts: StoreParts,
  pk: string,
  call: WriteCall,
): Promise<{ readonly kind: 'recorded'; readonly record: RecordItem } | Denial | null> {
  if (call.idempotency === null) return null;
  const found = await readRecord(parts, { pk, idempotency: call.idempotency }, call);
  if (isDenial(found)) return found;
  if (found.item === null || isSpent(found.item, parts.now())) return null;
  return { kind: 'recorded', record: found.item };
}

/** The stored outcome for a repeated request; another request under the same key is refused. */
export function replayed(record: RecordItem, idempotency: Idempotency | null): { readonly outcome: unknown } | Denial {
  if (idempotency !== null && record.q === idempotency.requestSha256) return { outcome: record.outcome };
  return deny('idempotency_conflict', 'This Idempotency-Key was used for another request.');
}
