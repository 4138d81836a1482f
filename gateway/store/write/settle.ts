import type { z } from 'zod';
import { type Denial, deny, isDenial } from '#gateway/pipeline/denial.ts';
import type { SessionToken, WriteCall } from '#gateway/pipeline/store-port.ts';
import type { OutboxBody, RecordItem, SweepBody } from '#gateway/store/layout/items.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { backoffMs, waitWithin } from '#gateway/store/wait.ts';
import { type CommitResult, commit, type Progress } from './commit.ts';
import type { GuardedBatch, GuardedItem } from './guarded-batch.ts';
import type { HeadWrite } from './head.ts';
import { outboxItems } from './outbox-item.ts';
import { findReplay, recordBody, replayed } from './records.ts';

/** Chosen before a batch is sent: the id of the write, and its time. */
export interface Stamp {
  readonly w: string;
  readonly nowMs: number;
}

export interface PlannedWrite<O> {
  readonly kind: 'write';
  readonly items: readonly GuardedItem[];
  readonly head: HeadWrite | null;
  readonly outboxes: readonly (OutboxBody | SweepBody)[];
  readonly outcome: O;
}

/** `nothing`: the present state is already what was asked for. */
export type Plan<O> = PlannedWrite<O> | { readonly kind: 'nothing'; readonly outcome: O };

/** A write within one partition, as a function from a part of its present state to what is to be sent. */
export interface WriteJob<S, O> {
  readonly pk: string;
  readonly outcome: z.ZodType<O>;
  /** What the first round takes for the state without reading it; null to read. A wrong guess costs a conflict. */
  readonly guess: State<S> | null;
  /** By critical reads: what they give decides a write. */
  read(): Promise<State<S> | Denial>;
  /** Called once a round; may refuse. */
  plan(state: S, stamp: Stamp): Promise<Plan<O> | Denial>;
}

export interface State<S> {
  readonly state: S;
}

export interface Settled<O> {
  readonly kind: 'settled';
  readonly outcome: O;
  readonly session: readonly SessionToken[];
  /** What this call committed, null when it changed nothing or an earlier request of the same key had done it. */
  readonly written: (PlannedWrite<O> & { readonly w: string }) | null;
}

const ROUNDS = 6;

/**
 * Brings a write to its end: plan, commit, and when something moved read and plan again, at most six rounds with jitter,
 * then `write_contended`. A key's earlier outcome wins over whatever this call would answer. Once a byte was sent, a passed
 * deadline is `outcome_unknown`.
 */
export async function settle<S, O>(
  parts: StoreParts,
  job: WriteJob<S, O>,
  call: WriteCall,
): Promise<Settled<O> | Denial> {
  const progress: Progress = { sent: false, outstanding: false };
  const result = await runRounds(parts, { job, progress }, call);
  if (!isDenial(result)) return result;
  const isUnknown = progress.outstanding || (progress.sent && result.code === 'deadline_exceeded');
  return isUnknown ? deny('outcome_unknown', 'The write may have happened; its outcome could not be learnt.') : result;
}

/** The revision that a write gives an item: it grows from state to state, and with time across states that expired. */
export function revisionAfter(previous: { readonly r: number } | null, nowMs: number): number {
  return Math.max((previous?.r ?? 0) + 1, nowMs);
}

interface Running<S, O> {
  readonly job: WriteJob<S, O>;
  readonly progress: Progress;
}

async function runRounds<S, O>(
  parts: StoreParts,
  running: Running<S, O>,
  call: WriteCall,
): Promise<Settled<O> | Denial> {
  const { job, progress } = running;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 1 && !(await waitWithin(parts, call.deadlineAtMs, backoffMs(parts, round)))) break;
    const found = (round === 0 ? job.guess : null) ?? (await job.read());
    if (isDenial(found)) return found;
    const stamp: Stamp = { w: parts.newUlid(), nowMs: parts.now() };
    const plan = await job.plan(found.state, stamp);
    if (isDenial(plan)) return replayOr(parts, { job, denial: plan }, call);
    if (plan.kind === 'nothing' && call.idempotency === null) return settled(plan.outcome, [], null);
    const result = await commit(parts, { batch: batchOf(job.pk, { plan, stamp }, call), progress }, call);
    if (result.kind === 'stale') continue;
    const written = plan.kind === 'write' ? { ...plan, w: stamp.w } : null;
    return finish(job, { result, outcome: plan.outcome, written }, call);
  }
  return deny('write_contended', 'Other writes to this object kept getting in between.');
}

/** A keyed no-op is a batch of its record alone. */
function batchOf<O>(
  pk: string,
  planned: { readonly plan: Plan<O>; readonly stamp: Stamp },
  call: WriteCall,
): GuardedBatch {
  const { plan, stamp } = planned;
  const { w, nowMs } = stamp;
  const record =
    call.idempotency === null ? null : recordBody(pk, call.idempotency, { w, nowMs, outcome: plan.outcome });
  if (plan.kind === 'nothing') return { pk, w, record, items: [], head: null, outboxes: [] };
  const { items, head, outboxes } = plan;
  return { pk, w, record, items, head, outboxes: outboxItems(pk, w, outboxes) };
}

function finish<S, O>(
  job: WriteJob<S, O>,
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
async function replayOr<S, O>(
  parts: StoreParts,
  refusal: { readonly job: WriteJob<S, O>; readonly denial: Denial },
  call: WriteCall,
): Promise<Settled<O> | Denial> {
  const earlier = await findReplay(parts, refusal.job.pk, call);
  if (earlier === null) return refusal.denial;
  return isDenial(earlier) ? earlier : replay(refusal.job, earlier.record, call);
}

function replay<S, O>(job: WriteJob<S, O>, record: RecordItem, call: WriteCall): Settled<O> | Denial {
  const stored = replayed(record, call.idempotency);
  return isDenial(stored) ? stored : settled(job.outcome.parse(stored.outcome), [], null);
}

function settled<O>(outcome: O, session: readonly SessionToken[], written: Settled<O>['written']): Settled<O> {
  return { kind: 'settled', outcome, session, written };
}
