import { OUTBOX_DONE_TTL_S, type OutboxBody, type SweepBody } from '#gateway/store/layout/items.ts';
import type { Body } from './guarded-batch.ts';

/** Id of the outbox entry that the write `w` leaves. */
export function outboxId(w: string): string {
  return `x~${w}`;
}

/** The entry that the write `w` leaves, as stored. */
export function outboxItem(pk: string, w: string, body: OutboxBody | SweepBody): Body {
  return { id: outboxId(w), pk, w, ...body };
}

/** What replaces an entry whose work is done: it expires by itself. */
export function outboxDone(at: { readonly id: string; readonly pk: string; readonly w: string }): Body {
  return { ...at, done: true, ttl: OUTBOX_DONE_TTL_S };
}
