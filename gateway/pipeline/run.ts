import { admit, type Permit, type QuotaPort } from './admit.ts';
import { type AuditPort, auditIntent, auditOutcome } from './audit-rows.ts';
import { authenticate, type CredentialsPort } from './authenticate.ts';
import { authorize, type PolicyPort } from './authorize.ts';
import type { Misfit } from './content-check.ts';
import { decode, versionOf } from './decode.ts';
import { type Denial, deny, isDenial } from './denial.ts';
import type { Indexes, KeyEntry } from './indexes.ts';
import { type Fetched, perform } from './perform.ts';
import { readBodyAsk } from './read-body-ask.ts';
import { finishedOf, type RecordPort } from './record.ts';
import type { BatchAsk, BodyAsk, Call, Incoming, Reply } from './request.ts';
import { type ObjectIdPort, resolve } from './resolve.ts';
import { retire } from './retire.ts';
import { answerBatch } from './run-batch.ts';
import type { ServingPort } from './serving-port.ts';
import { shape } from './shape.ts';
import { type LoadPort, shed } from './shed.ts';
import type { ContentPort } from './store-port.ts';
import { type Clock, mark, startTrace, type Trace } from './trace.ts';
import type { CursorPort } from './work.ts';

export interface Ports {
  readonly clock: Clock;
  /** The release that this worker serves now; null before its first. */
  current(): Indexes | null;
  readonly credentials: CredentialsPort;
  readonly load: LoadPort;
  readonly policy: PolicyPort;
  readonly cursors: CursorPort;
  readonly objectIds: ObjectIdPort;
  sha256Hex(parts: readonly (string | Uint8Array)[]): string;
  readonly quota: QuotaPort;
  readonly store: ServingPort;
  readonly content: ContentPort;
  readonly audit: AuditPort;
  readonly records: RecordPort;
  /** Tells the operator of a fault that the caller only sees as `internal`. */
  reportFault(requestId: string, error: unknown): void;
}

/** Writes the reply and resolves when its last byte is out or the caller is gone. */
export type WriteReply = (outcome: Reply | Denial, trace: Trace) => Promise<void>;

/**
 * One request, from its first byte to its last: the stages in order, the reply, and in every case the settled quota and
 * one record. Never rejects.
 */
export async function run(incoming: Incoming, write: WriteReply, ports: Ports): Promise<void> {
  ports.load.enter();
  const trace = startTrace(incoming, ports.clock);
  const indexes = ports.current();
  const held: { permit: Permit | null } = { permit: null };
  let outcome: Reply | Denial;
  try {
    outcome = await answer({ indexes, trace, held }, ports);
  } catch (error) {
    ports.reportFault(incoming.requestId, error);
    outcome = deny('internal', 'Something went wrong inside the gateway.');
  }
  try {
    auditOutcome(trace, outcome, ports.audit, held.permit !== null);
    await write(outcome, trace);
  } catch (error) {
    ports.reportFault(incoming.requestId, error);
  } finally {
    mark(trace, 'write', ports.clock);
    if (held.permit !== null) ports.quota.settle(held.permit.hold, trace.ru);
    const { gateway, worker } = ports.records;
    // A served batch is counted by its operations, each of which came through here by itself.
    const isCounted = incoming.mention.operation !== 'batch' || isDenial(outcome);
    if (isCounted) {
      ports.records.finish(finishedOf(trace, outcome, { nowUs: ports.clock.nowUs(), indexes, gateway, worker }));
    }
    ports.load.leave();
  }
}

interface Running {
  readonly indexes: Indexes | null;
  readonly trace: Trace;
  readonly held: { permit: Permit | null };
}

async function answer({ indexes, trace, held }: Running, ports: Ports): Promise<Reply | Denial> {
  const { incoming } = trace;
  const { clock } = ports;
  if (indexes === null) return deny('release_unavailable', 'This gateway has no release yet.');
  trace.release = indexes.release;

  const key = authenticate(incoming, indexes, { credentials: ports.credentials, nowMs: clock.nowMs() });
  mark(trace, 'auth', clock);
  if (isDenial(key)) return key;
  trace.key = key;

  const overload = shed(ports.load);
  if (overload !== null) return overload;
  const { call } = incoming;
  if (isDenial(call)) return call;
  const reply = isBatch(call)
    ? await answerBatch(call, trace, { clock, run: (one, write) => run(one, write, ports) })
    : await answerOne(call, { indexes, trace, held, key }, ports);
  return isDenial(reply) ? reply : { ...reply, session: ports.store.mergeSessions(call.session, reply.session) };
}

type AnyCall = Exclude<Incoming['call'], Denial>;

function isBatch(call: AnyCall): call is Call<BatchAsk> {
  return call.ask.operation === 'batch';
}

function isInBody(call: Exclude<AnyCall, Call<BatchAsk>>): call is Call<BodyAsk> {
  return call.ask.operation === 'body';
}

interface Serving extends Running {
  readonly indexes: Indexes;
  readonly key: KeyEntry;
}

async function answerOne(sent: Call | Call<BodyAsk>, serving: Serving, ports: Ports): Promise<Reply | Denial> {
  const { indexes, trace, held, key } = serving;
  const { clock } = ports;
  const call = isInBody(sent) ? await readBodyAsk(sent, trace, ports) : sent;
  mark(trace, 'queue', clock);
  if (isDenial(call)) return call;
  const target = resolve(call, key, { indexes, objectIds: ports.objectIds });
  if (isDenial(target)) return target;
  trace.target = target;

  // Each stage answers at once when it has nothing to wait for: a promise costs more than most of them.
  const asked = authorize(target, indexes, ports.policy);
  const grant = asked instanceof Promise ? await asked : asked;
  mark(trace, 'policy', clock);
  if (isDenial(grant)) return grant;
  trace.policy = grant.policy;
  const retired = retire(grant, trace);
  if (retired !== null) return retired;

  const { cursors, sha256Hex } = ports;
  const noteMisfit = (misfit: Misfit) => {
    trace.misfit = misfit;
  };
  const shaping = shape(grant, trace.incoming.body, { cursors, sha256Hex, nowMs: trace.atMs, noteMisfit });
  const shaped = shaping instanceof Promise ? await shaping : shaping;
  mark(trace, 'queue', clock);
  if (isDenial(shaped)) return shaped;

  const permit = admit(shaped, trace, ports.quota);
  mark(trace, 'admit', clock);
  if (isDenial(permit)) return permit;
  held.permit = permit;

  const unaudited = auditIntent(permit, trace, ports.audit);
  if (unaudited !== null) return unaudited;

  const performing = perform(permit, trace, { store: ports.store, nowMs: clock.nowMs() });
  const fetched = performing instanceof Promise ? await performing : performing;
  mark(trace, 'store', clock);
  if (isDenial(fetched)) return fetched;
  noteVersions(fetched, trace);

  const decoding = decode(fetched, ports);
  const reply = decoding instanceof Promise ? await decoding : decoding;
  mark(trace, 'decode', clock);
  return reply;
}

/** For the audit: the version that each thing which the request wrote has now. */
function noteVersions(fetched: Fetched, trace: Trace): void {
  const written = trace.target?.touches.filter(({ action }) => action.endsWith('.write')) ?? [];
  if (written.length === 0) return;
  const outcomes: readonly unknown[] = fetched.operation === 'commit' ? fetched.value : [fetched.value];
  const revisions = outcomes.flatMap((one) => (isWritten(one) ? [one.r] : []));
  for (const [index, touch] of written.entries()) {
    const r = revisions[index];
    if (r !== undefined) trace.versions.set(touch, versionOf(r));
  }
}

function isWritten(value: unknown): value is { readonly r: number } {
  return typeof value === 'object' && value !== null && 'r' in value;
}
