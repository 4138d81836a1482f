import { z } from 'zod';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { SessionToken, WriteCall } from '#gateway/pipeline/store-port.ts';
import { askedWaitMs, denialOf, type Fault } from '#gateway/store/errors.ts';
import { HeadItem, type RecordItem } from '#gateway/store/layout/items.ts';
import { HEAD_ID } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { backoffMs, waitWithin } from '#gateway/store/wait.ts';
import { type GuardedBatch, type Role, stepsOf, type Variant } from './guarded-batch.ts';
import { unmetDemand } from './head.ts';
import { isSpent, readRecord } from './records.ts';
import { type BatchResult, sendBatch } from './send-batch.ts';

/** What is known of a write while it goes on. */
export interface Progress {
  /** A byte of some batch left. */
  sent: boolean;
  /** A copy whose outcome is unknown may have committed, or may yet. */
  outstanding: boolean;
}

export type CommitResult =
  | { readonly kind: 'committed'; readonly session: readonly SessionToken[] }
  /** An earlier request of the same key left this. */
  | { readonly kind: 'recorded'; readonly record: RecordItem }
  /** A guard failed for good: plan anew on the present state. */
  | { readonly kind: 'stale' }
  | Denial;

interface Commit {
  readonly batch: GuardedBatch;
  readonly variant: Variant;
  readonly progress: Progress;
  /** How often something moved under the batch without making it stale. */
  moves: number;
}

const AGAIN = { kind: 'again' } as const;
type Next = CommitResult | typeof AGAIN;

const MOST_MOVES = 6;
/** A batch takes a few milliseconds; so long it takes only when something is wrong. */
const LEAST_ATTEMPT_MS = 25;
const Written = z.object({ w: z.string() });

/**
 * Sends a batch until its outcome is known or the deadline comes. An unknown outcome is resolved by sending the identical
 * batch again: its guards let at most one copy commit, and a guard that fails on an item whose `w` is ours says that the
 * first copy did. While `progress.outstanding` is set, a refusal must reach the caller as `outcome_unknown`.
 */
export async function commit(
  parts: StoreParts,
  write: { readonly batch: GuardedBatch; readonly progress: Progress },
  call: WriteCall,
): Promise<CommitResult> {
  const state: Commit = { ...write, variant: { headIsMissing: false, recordEtag: null }, moves: 0 };
  const onSent = () => {
    state.progress.sent = true;
  };
  let told: Denial = deny('deadline_exceeded', 'The deadline passed before the write.');
  for (let attempt = 0; ; attempt += 1) {
    if (parts.now() >= call.deadlineAtMs) return told;
    const steps = stepsOf(state.batch, state.variant);
    const sent = { pk: state.batch.pk, steps, onSent, isOutstanding: state.progress.outstanding };
    const result = await sendBatch(parts, sent, call);
    const next = await interpret(parts, { state, result, attempt }, call);
    if (next.kind !== 'again') return next;
    // A pause may end later than it was to: what is certain to have failed is still certain then.
    if (result.kind === 'throttled' || result.kind === 'unsent' || result.kind === 'moved')
      told = denialOf(result.fault);
    if (state.moves > MOST_MOVES)
      return deny('write_contended', 'Other writes to this object kept getting in between.');
  }
}

interface Turn {
  readonly state: Commit;
  readonly result: BatchResult;
  readonly attempt: number;
}

async function interpret(parts: StoreParts, turn: Turn, call: WriteCall): Promise<Next> {
  const { state, result, attempt } = turn;
  const pause = backoffMs(parts, attempt, 10);
  switch (result.kind) {
    case 'committed':
      return result;
    case 'throttled':
      return againAfter(parts, call, { fault: result.fault, waitMs: askedWaitMs(result.fault) ?? pause });
    case 'unsent':
      // No other region takes writes: while the breaker is open, waiting would only fill the gateway with requests.
      if (result.fault.kind === 'shut') return denialOf(result.fault);
      return retryAfter(parts, call, { fault: result.fault, waitMs: pause });
    case 'moved':
      return againAfter(parts, call, { fault: result.fault, waitMs: pause });
    case 'refused':
      return denialOf(result.fault);
    case 'unknown':
      state.progress.outstanding = true;
      return retryAfter(parts, call, { fault: UNREACHABLE, waitMs: pause });
    case 'failed':
      return onFailed(parts, { state, ...result }, call);
    default:
      return result satisfies never;
  }
}

const UNREACHABLE: Fault = { kind: 'broken', wasSent: true, message: 'The outcome of the write is unknown.' };

/**
 * Another try after a pause, if there is time for both. What is certain to have failed is told instead of sending a copy
 * whose answer could not come before the deadline: that would only turn it into an unknown outcome.
 */
async function againAfter(
  parts: StoreParts,
  call: WriteCall,
  wait: { readonly fault: Fault; readonly waitMs: number },
): Promise<Next> {
  const hasTime = await waitWithin(parts, call.deadlineAtMs - LEAST_ATTEMPT_MS, wait.waitMs);
  return hasTime ? AGAIN : denialOf(wait.fault);
}

/** The same after a region that was unwell, if it may be asked once more. */
async function retryAfter(parts: StoreParts, call: WriteCall, wait: Parameters<typeof againAfter>[2]): Promise<Next> {
  const mayRetry = parts.account.regions.write().retries.spend(parts.now());
  return mayRetry ? againAfter(parts, call, wait) : denialOf(wait.fault);
}

interface Failure {
  readonly state: Commit;
  readonly role: Role;
  readonly id: string;
  readonly status: number;
}

/** A batch that was rolled back by one of its guards; every other status is for good. */
async function onFailed(parts: StoreParts, failure: Failure, call: WriteCall): Promise<Next> {
  const { state, role, status } = failure;
  const isGuard = status === 404 || status === 409 || status === 412;
  if (!isGuard || role === 'outbox') {
    return denialOf({ kind: 'reply', status: isGuard ? 400 : status, subStatus: 0, retryAfterMs: null });
  }
  if (role === 'item') return onItem(parts, failure, call);
  state.moves += 1;
  return role === 'record' ? onRecord(parts, failure, call) : onHead(parts, failure, call);
}

async function onRecord(parts: StoreParts, failure: Failure, call: WriteCall): Promise<Next> {
  const { state, status } = failure;
  state.variant.recordEtag = null;
  if (status !== 409 || call.idempotency === null) return AGAIN;
  const at = { pk: state.batch.pk, idempotency: call.idempotency, insists: state.progress.outstanding };
  const found = await readRecord(parts, at, call);
  if (isDenial(found)) return found;
  const record = found.item;
  if (record === null) return AGAIN;
  if (record.w === state.batch.w) return { kind: 'committed', session: found.session };
  if (!isSpent(record, parts.now())) {
    state.progress.outstanding = false;
    return { kind: 'recorded', record };
  }
  state.variant.recordEtag = record._etag;
  return AGAIN;
}

/**
 * An item moved. With a copy outstanding, its `w` tells whether that copy moved it; if another write is there, a record
 * (whose guard held just now) proves that ours did not come before. Without one, any other item of the batch may still
 * show that it did.
 */
async function onItem(parts: StoreParts, { state, id }: Failure, call: WriteCall): Promise<Next> {
  const { batch, progress } = state;
  if (!progress.outstanding) return { kind: 'stale' };
  const others = batch.items.map(({ body }) => body.id).filter((other) => other !== id);
  for (const one of batch.record === null ? [id, ...others] : [id]) {
    const address = { pk: batch.pk, id: one, schema: Written, consistency: 'critical', insists: true } as const;
    const found = await readItem(parts, address, call);
    if (isDenial(found)) return found;
    if (found.item?.w === batch.w) return { kind: 'committed', session: found.session };
  }
  if (batch.record === null) return deny('outcome_unknown', 'Another write followed before the outcome was known.');
  progress.outstanding = false;
  return { kind: 'stale' };
}

async function onHead(parts: StoreParts, failure: Failure, call: WriteCall): Promise<Next> {
  const { state, status } = failure;
  const { batch, variant, progress } = state;
  if (batch.head === null || batch.head.kind === 'replace') {
    // The head never returns to the state that was guarded, so no outstanding copy can commit either.
    progress.outstanding = false;
    return { kind: 'stale' };
  }
  variant.headIsMissing = status === 404;
  if (status !== 412 || batch.head.kind === 'close') return AGAIN;
  const insists = progress.outstanding;
  const address = { pk: batch.pk, id: HEAD_ID, schema: HeadItem, consistency: 'critical', insists } as const;
  const found = await readItem(parts, address, call);
  if (isDenial(found)) return found;
  return (found.item && unmetDemand(found.item, batch.head)) ?? AGAIN;
}
