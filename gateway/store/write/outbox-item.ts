import { OUTBOX_DONE_TTL_S, type OutboxBody, type SweepBody } from '#gateway/store/layout/items.ts';
import type { Body } from './guarded-batch.ts';

/** Id of an outbox entry that the write `w` leaves; a write that changed edges of several mirrored types leaves several. */
export function outboxId(w: string, index = 0): string {
  return index === 0 ? `x~${w}` : `x~${w}~${index}`;
}

/** The entries that the write `w` leaves, as stored. */
export function outboxItems(pk: string, w: string, bodies: readonly (OutboxBody | SweepBody)[]): readonly Body[] {
  return bodies.map((body, index) => ({ id: outboxId(w, index), pk, w, ...body }));
}

/** What replaces an entry whose work is done: it expires by itself. */
export function outboxDone(at: { readonly id: string; readonly pk: string; readonly w: string }): Body {
  return { ...at, done: true, ttl: OUTBOX_DONE_TTL_S };
}
