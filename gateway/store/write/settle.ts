import type { z } from 'zod';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { SessionToken, WriteCall } from '#gateway/pipeline/store-port.ts';
import type { OutboxBody, RecordItem, SweepBody } from '#gateway/store/layout/items.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import { backoffMs, waitWithin } from '#gateway/store/wait.ts';
import { type CommitResult, commit, type Progress } from './commit.ts';
import type { Body, GuardedBatch } from './guarded-batch.ts';
import type { HeadWrite } from './head.ts';
import { outboxItem } from './outbox-item.ts';
import { findReplay, recordBody, replayed } from './records.ts';

/** Chosen before a batch is sent: the revision after the item's present one, and the id of the write. */
export interface Stamp {
  readonly r: number;
  readonly w: string;
  readonly nowMs: number;
}

export interface PlannedWrite<O> {
  readonly kind: 'write';
  readonly body: Body;
  readonly head: HeadWrite | null;
  readonly outbox: OutboxBody | SweepBody | null;
  readonly outcome: O;
}

/** `nothing`: the present state is already what was asked for. */
export type Plan<O> = PlannedWrite<O> | { readonly kind: 'nothing'; readonly outcome: O };

/** A write of one item of one partition, as a function from the item's present state to what is to be sent. */
export interface WriteJob<I, O> {
  readonly pk: string;
  readonly itemId: string;
  readonly schema: z.ZodType<I>;
  readonly outcome: z.ZodType<O>;
  /** Off where the item is mostly new: the first batch then creates it, and only a conflict reads. */
  readonly readsFirst: boolean;
  /** `previous` is null when nothing is there. Called once a round; may refuse. */
  plan(previous: I | null, stamp: Stamp): Promise<Plan<O> | Denial>;
}

export interface Settled<O> {
  readonly kind: 'settled';
  readonly outcome: O;
  readonly session: readonly SessionToken[];
  /** What this call committed, null when it changed nothing or an earlier request of the same key had done it. */
  readonly written: (PlannedWrite<O> & { readonly w: string }) | null;
}

interface Previous {
  readonly r: number;
  readonly _etag: string;
}

const ROUNDS = 6;

/**
 * Brings a write to its end: plan, commit, and on a moved item read and plan again, at most six rounds with jitter, then
 * `write_contended`. A key's earlier outcome wins over whatever this call would answer. Once a byte was sent, a passed
 * deadline is `outcome_unknown`.
 */
export async function settle<I extends Previous, O>(
  parts: StoreParts,
  job: WriteJob<I, O>,
  call: WriteCall,
): Promise<Settled<O> | Denial> {
  const progress: Progress = { sent: false, outstanding: false };
  const result = await runRounds(parts, { job, progress }, call);
  if (!isDenial(result)) return result;
  const isUnknown = progress.outstanding || (progress.sent && result.code === 'deadline_exceeded');
  return isUnknown ? deny('outcome_unknown', 'The write may have happened; its outcome could not be learnt.') : result;
}

interface Running<I, O> {
  readonly job: WriteJob<I, O>;
  readonly progress: Progress;
}

async function runRounds<I extends Previous, O>(
  parts: StoreParts,
  running: Running<I, O>,
  call: WriteCall,
): Promise<Settled<O> | Denial> {
  const { job, progress } = running;
  let mustRead = job.readsFirst;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 1 && !(await waitWithin(parts, call.deadlineAtMs, backoffMs(parts, round)))) break;
    const found = mustRead ? await readPrevious(parts, job, call) : { item: null };
    if (isDenial(found)) return found;
    const stamp = nextStamp(parts, found.item);
    const plan = await job.plan(found.item, stamp);
    if (isDenial(plan)) return replayOr(parts, { job, denial: plan }, call);
    if (plan.kind === 'nothing' && call.idempotency === null) return settled(plan.outcome, [], null);
    const batch = batchOf({ job, plan, stamp, etag: found.item?._etag ?? null }, call);
    const result = await commit(parts, { batch, progress }, call);
    if (result.kind === 'stale') {
      mustRead = true;
      continue;
    }
    const written = plan.kind === 'write' ? { ...plan, w: stamp.w } : null;
    return finish(job, { result, outcome: plan.outcome, written }, call);
  }
  return deny('write_contended', 'Other writes to this object kept getting in between.');
}

function readPrevious<I, O>(parts: StoreParts, job: WriteJob<I, O>, call: WriteCall) {
  const { pk, itemId: id, schema } = job;
  return readItem(parts, { pk, id, schema, consistency: 'critical' }, call);
}

function nextStamp(parts: StoreParts, previous: Previous | null): Stamp {
  const nowMs = parts.now();
  return { r: Math.max((previous?.r ?? 0) + 1, nowMs), w: parts.newUlid(), nowMs };
}

interface Planned<I, O> {
  readonly job: WriteJob<I, O>;
  readonly plan: Plan<O>;
  readonly stamp: Stamp;
  readonly etag: string | null;
}

/** A keyed no-op is a batch of its record alone. */
function batchOf<I, O>(planned: Planned<I, O>, call: WriteCall): GuardedBatch {
  const { job, plan, stamp, etag } = planned;
  const { pk } = job;
  const kept = { w: stamp.w, nowMs: stamp.nowMs, outcome: plan.outcome };
  const record = call.idempotency === null ? null : recordBody(pk, call.idempotency, kept);
  if (plan.kind === 'nothing') return { pk, w: stamp.w, record, items: [], head: null, outboxes: [] };
  const outboxes = plan.outbox === null ? [] : [outboxItem(pk, stamp.w, plan.outbox)];
  return { pk, w: stamp.w, record, items: [{ body: plan.body, etag }], head: plan.head, outboxes };
}

function finish<I, O>(
  job: WriteJob<I, O>,
  end: {
    readonly result: Exclude<CommitResult, { kind: 'stale' }>;
    readonly outcome: O;
    readonly written: Settled<O>['written'];
  },
  call: WriteCall,
): Settled<O> | Denial {
  const { result, outcome, written } = end;
  if (isDenial(result)) return result;
  return result.kind === 'recorded' ? replay(job, result.record, call) : settled(outcome, result.session, written);
}

/** Before a refusal that a read decided: the same request may have succeeded earlier. */
async function replayOr<I, O>(
  parts: StoreParts,
  refusal: { readonly job: WriteJob<I, O>; readonly denial: Denial },
  call: WriteCall,
): Promise<Settled<O> | Denial> {
  const earlier = await findReplay(parts, refusal.job.pk, call);
  if (earlier === null) return refusal.denial;
  return isDenial(earlier) ? earlier : replay(refusal.job, earlier.record, call);
}

function replay<I, O>(job: WriteJob<I, O>, record: RecordItem, call: WriteCall): Settled<O> | Denial {
  const stored = replayed(record, call.idempotency);
  return isDenial(stored) ? stored : settled(job.outcome.parse(stored.outcome), [], null);
}

function settled<O>(outcome: O, session: readonly SessionToken[], written: Settled<O>['written']): Settled<O> {
  return { kind: 'settled', outcome, session, written };
}
