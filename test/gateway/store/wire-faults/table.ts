import type { FaultEffect } from '#gateway/contract/local-cosmos.ts';

/** One fault of the wire, and what comes of it. Attempts read `region status/sub-status`; status 0: no reply came. */
export interface Row {
  readonly fault: string;
  readonly effect: FaultEffect;
  readonly write: {
    /** Attempts of an edge.put whose first batch meets it in East, which takes the writes. */
    readonly once: readonly string[];
    /** What it is told then: `served`, unless nothing better can be done. */
    readonly told?: string;
    /** What an edge.put is told when East does so to every batch until its deadline. */
    readonly always: string;
  };
  /** Null for faults that only a batch can meet. */
  readonly read: {
    /** Attempts of an edge.count that meets it in West, the nearest: the last one serves it. */
    readonly once: readonly string[];
    /** What an edge.count is told when both regions do so to every read until its deadline. */
    readonly always: string;
  } | null;
}

const EAST_SERVES = 'East 200/0';

/**
 * Every fault that the SDK was measured to handle badly or not at all: it retries in the same region for seconds, or never,
 * takes a lagging replica for "not found", and a page of HTML for a bug of the caller.
 */
export const ROWS: readonly Row[] = [
  // No byte was sent: the write is known not to have happened.
  row('refused', { kind: 'refuse' }, { status: '0/0', write: 'store_unavailable', read: 'store_unavailable' }),
  // A byte was sent and nothing came back: the same batch again settles it.
  row('reset', { kind: 'reset' }, unknown('0/0')),
  row('hung', { kind: 'hang' }, { ...unknown('0/0'), read: 'deadline_exceeded' }),
  // Replies after which a write may have happened.
  row('408', status(408), unknown('408/0')),
  row('410/1002', status(410, 1002), unknown('410/1002')),
  row('500', status(500), unknown('500/0')),
  row('503', status(503), unknown('503/0')),
  // Replies after which it certainly did not.
  row('429', status(429, 3200, 30), throttled('429/3200')),
  row('429 without a hint', status(429, 3200), throttled('429/3200')),
  row('449', status(449), throttled('449/0')),
  row('403/3', status(403, 3), { status: '403/3', write: 'store_unavailable', read: 'store_unavailable' }),
  {
    ...{ fault: '404/1002', effect: status(404, 1002) },
    // No service says so to a write, which carries no session; it is taken at its word.
    write: { once: ['East 404/1002'], told: 'store_unavailable', always: 'store_unavailable' },
    read: { once: ['West 404/1002', EAST_SERVES], always: 'store_unavailable' },
  },
  // Replies of something in between, which hide what the service said.
  row('HTML under 502', { kind: 'html', status: 502 }, unknown('502/0')),
  row('HTML under 200', { kind: 'html', status: 200 }, unknown('200/0')),
  row('nothing under 503', { kind: 'empty', status: 503 }, unknown('503/0')),
  row('nothing under 200', { kind: 'empty', status: 200 }, unknown('200/0')),
  // The write happens, and its reply does not come; or it happens when nobody waits for it any more.
  {
    ...row('committed, then reset', { kind: 'commitThenReset' }, unknown('0/0')),
    // The second copy is rolled back by its guard (207), and a read finds the first one's mark.
    write: { once: ['East 0/0', 'East 207/0', EAST_SERVES], always: 'outcome_unknown' },
  },
  row('delivered late', { kind: 'delayedDelivery', delayMs: 60 }, unknown('0/0')),
  // A batch that is rolled back by one of its operations: no copy of it happened.
  batchOnly('429 inside a 207', 429),
  batchOnly('449 inside a 207', 449),
];

function row(
  fault: string,
  effect: FaultEffect,
  told: { readonly status: string; readonly write: string; readonly read: string },
): Row {
  return {
    ...{ fault, effect },
    write: { once: [`East ${told.status}`, EAST_SERVES], always: told.write },
    read: { once: [`West ${told.status}`, EAST_SERVES], always: told.read },
  };
}

function batchOnly(fault: string, code: number): Row {
  const effect: FaultEffect = { kind: 'batchStatus', status: code, index: 0, retryAfterMs: 20 };
  return { fault, effect, write: { once: ['East 207/0', EAST_SERVES], always: 'store_throttled' }, read: null };
}

function unknown(reply: string) {
  return { status: reply, write: 'outcome_unknown', read: 'store_unavailable' };
}

function throttled(reply: string) {
  return { status: reply, write: 'store_throttled', read: 'store_throttled' };
}

function status(code: number, subStatus = 0, retryAfterMs: number | null = null): FaultEffect {
  return { kind: 'status', status: code, subStatus, retryAfterMs };
}
