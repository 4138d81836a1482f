import { MAX_BATCH_BYTES, MAX_BATCH_REPLY_BYTES } from '#gateway/contract/data-api.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import type { BatchAsk, BatchItem, BatchResult, Call, Incoming, Reply } from './request.ts';
import type { SessionToken } from './store-port.ts';
import { type Clock, mark, noteCache, type Trace } from './trace.ts';

const MAX_PARALLEL = 16;

export interface BatchPorts {
  readonly clock: Clock;
  /** Runs one operation through every stage, as a request of its own. */
  run(incoming: Incoming, write: (outcome: Reply | Denial, trace: Trace) => Promise<void>): Promise<void>;
}

/**
 * Up to 100 operations, each with its own outcome, results in the order of the request. Operations on one partition run
 * one after another, others side by side, at most 16 at a time; policy, quota and audit see each by itself. One deadline
 * for all. Once the reply holds 16 MB of content, further reads of content are `response_too_large` and cost nothing.
 * Refuses as a whole with `malformed_request`, `request_too_large`, `deadline_exceeded`.
 */
export async function answerBatch(call: Call<BatchAsk>, trace: Trace, ports: BatchPorts): Promise<Reply | Denial> {
  const deadlineAtMs = trace.atMs + call.deadlineMs;
  const bytes = await trace.incoming.body.read(MAX_BATCH_BYTES, deadlineAtMs);
  if (isDenial(bytes)) return bytes;
  const items = call.ask.format.read(bytes);
  if (isDenial(items)) return items;
  mark(trace, 'queue', ports.clock);
  const state: BatchState = {
    items,
    trace,
    deadlineAtMs,
    results: [],
    session: [],
    replyBytes: 0,
    busySinceUs: trace.lastMarkUs,
  };
  const lanes = lanesOf(items);
  const runner = async () => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
      for (const index of lane) {
        await runItem(index, state, ports);
        if (ports.clock.nowUs() - state.busySinceUs > LONGEST_RUN_US) await giveWay(state, ports.clock);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, lanes.length) }, runner));
  mark(trace, 'store', ports.clock);
  const body = call.ask.format.write(state.results);
  mark(trace, 'decode', ports.clock);
  return { kind: 'answer', status: 200, contentType: 'application/json', version: null, body, session: state.session };
}

interface BatchState {
  readonly items: readonly BatchItem[];
  readonly trace: Trace;
  readonly deadlineAtMs: number;
  readonly results: BatchResult[];
  readonly session: SessionToken[];
  replyBytes: number;
  /** When other requests of the thread had their turn last. */
  busySinceUs: number;
}

/**
 * What the cache answers, or policy refuses, never waits: a large batch of it would hold up all other requests of the thread
 * for milliseconds.
 */
const LONGEST_RUN_US = 500;

async function giveWay(state: BatchState, clock: Clock): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  state.busySinceUs = clock.nowUs();
}

/** Indexes of the items by lane, lanes in the order of their first item. */
function lanesOf(items: readonly BatchItem[]): number[][] {
  const lanes = new Map<string, number[]>();
  for (const [index, { lane }] of items.entries()) {
    const known = lanes.get(lane);
    if (known === undefined) lanes.set(lane, [index]);
    else known.push(index);
  }
  return [...lanes.values()];
}

async function runItem(index: number, state: BatchState, ports: BatchPorts): Promise<void> {
  const item = state.items[index];
  if (item === undefined) return;
  const incoming = item.toIncoming(Math.max(1, state.deadlineAtMs - ports.clock.nowMs()));
  const isFull = item.mayReadContent && state.replyBytes >= MAX_BATCH_REPLY_BYTES;
  const planned = isFull ? { ...incoming, call: TOO_LARGE } : incoming;
  await ports.run(planned, async (outcome, trace) => {
    state.results[index] = { requestId: incoming.requestId, outcome, misfit: trace.misfit };
    state.trace.ru += trace.ru;
    state.trace.quota = trace.quota ?? state.trace.quota;
    noteCache(state.trace, trace.cache ?? 'miss');
    for (const entry of trace.deprecated) state.trace.deprecated.add(entry);
    if (isDenial(outcome)) return;
    state.session.push(...outcome.session);
    state.replyBytes += outcome.body?.length ?? 0;
  });
}

const TOO_LARGE = deny('response_too_large', 'The reply of the batch already holds 16 MB; read this one by itself.');
