import type { AuditEvent } from '#server/contract/audit.ts';

/** A row on screen: one event, or equal refusals of one minute. */
export interface AuditRow {
  readonly event: AuditEvent;
  /** Every event it stands for, newest first. */
  readonly events: readonly AuditEvent[];
  /** How often it happened, with what gateways folded. */
  readonly count: number;
}

const MINUTE_MS = 60_000;

/**
 * Folds equal refusals that follow each other within a minute into the newest of them. Nothing else is folded, and rows
 * keep their order.
 */
export function foldRefusals(events: readonly AuditEvent[]): readonly AuditRow[] {
  const rows: { event: AuditEvent; events: AuditEvent[]; count: number }[] = [];
  const open = new Map<string, (typeof rows)[number]>();
  for (const event of events) {
    const same = event.did === 'refused' ? open.get(keyOf(event)) : undefined;
    if (same !== undefined && same.event.atMs - event.atMs < MINUTE_MS) {
      same.events.push(event);
      same.count += event.count;
      continue;
    }
    const row = { event, events: [event], count: event.count };
    rows.push(row);
    if (event.did === 'refused') open.set(keyOf(event), row);
  }
  return rows;
}

function keyOf({ actor, actorKind, what, because, tenant, release, outcome }: AuditEvent): string {
  return JSON.stringify([actor, actorKind, what, because, tenant, release, outcome]);
}
