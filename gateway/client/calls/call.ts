import { randomUUID } from 'node:crypto';
import { errors } from 'undici';
import { type ErrorFields, HabitatError } from '#gateway/client/habitat-error.ts';
import type { Endpoints } from '#gateway/client/transport/endpoints.ts';
import type { HttpReply, HttpRequest, NoReply } from '#gateway/client/transport/exchange.ts';
import { createStop, pause, type Stop } from '#gateway/client/transport/stop.ts';
import { type Answer, headerOf, outcomeOf } from './answer.ts';
import type { OnRequest, Part, RequestNote } from './note.ts';
import type { ResolvedOptions } from './options.ts';
import type { RetryBudget } from './retry-budget.ts';

/** What all calls of a client share. */
export interface Core {
  readonly endpoints: Endpoints;
  readonly budget: RetryBudget;
  readonly tenant: string;
  readonly key: () => string | Promise<string>;
  readonly now: () => number;
  readonly random: () => number;
}

/** One request as it goes out, whatever it asks. `path` is below the tenant's. */
export interface Request extends HttpRequest {
  readonly operation: string;
  readonly parts: readonly Part[];
  readonly isRead: boolean;
  /** Undefined makes one for a write; null sends none. */
  readonly idempotencyKey: string | null | undefined;
}

export interface CallContext {
  readonly core: Core;
  readonly options: ResolvedOptions;
  readonly onRequest: readonly OnRequest[];
}

export type Called =
  | { readonly answer: Answer }
  | { readonly refusal: ErrorFields; readonly error: () => HabitatError };

/** Most often that a call is sent. */
const MOST_ATTEMPTS = 4;
const BASE_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1_000;
/** Longest deadline that a gateway takes. */
export const MAX_DEADLINE_MS = 30_000;
/** A gateway that answers when its deadline passes is heard before ours does. */
const HEARING_MS = 50;

/** Refusals that may be another answer a moment later, without the caller changing anything. */
const RETRIED: ReadonlySet<string> = new Set([
  ...['unreachable', 'connection_lost', 'unreadable_reply'],
  ...['quota_exceeded', 'overloaded', 'store_throttled', 'store_unavailable', 'release_unavailable'],
  'outcome_unknown',
]);

interface Progress {
  readonly startedAtMs: number;
  readonly key: string | null;
  attempts: number;
  ru: number | null;
  mayHaveWritten: boolean;
  endpoint: string;
  last: HttpReply | null;
  /** What the last attempt carried. */
  session: string | null;
}

/**
 * Sends a request until it has an answer, its deadline passes, or sending it again would not help or not be safe. A write
 * is sent again only with its key. `earlier` is what it was refused with as part of a batch.
 */
export async function call(request: Request, context: CallContext, earlier?: ErrorFields): Promise<Called> {
  const { core, options } = context;
  const stop = createStop({ deadlineMs: options.deadlineMs, signal: options.signal, now: core.now });
  const progress: Progress = {
    startedAtMs: core.now(),
    key: request.isRead ? null : keyOf(request.idempotencyKey),
    attempts: 0,
    ru: null,
    mayHaveWritten: false,
    endpoint: '',
    last: null,
    session: null,
  };
  try {
    const called = await attempt({ request, context, stop, progress }, earlier);
    if (progress.attempts > 0) {
      const note = noteOf(request, progress, { endedAtMs: core.now(), code: codeOf(called) });
      for (const onRequest of context.onRequest) onRequest(note);
    }
    return called;
  } finally {
    stop.end();
  }
}

interface Run {
  readonly request: Request;
  readonly context: CallContext;
  readonly stop: Stop;
  readonly progress: Progress;
}

async function attempt(run: Run, earlier: ErrorFields | undefined): Promise<Called> {
  const { request, context, stop, progress } = run;
  const { budget, endpoints } = context.core;
  if (earlier === undefined) budget.deposit();
  else if (!(await mayRepeat(earlier, run))) return refused(earlier, run, undefined);
  for (;;) {
    const reply = await sendOnce(run);
    const outcome = outcomeOf(reply);
    if ('answer' in outcome) return outcome;
    const { refusal } = outcome;
    if (isForgotten(refusal, run) && progress.attempts < MOST_ATTEMPTS) continue;
    const wasSent = 'noReply' in reply ? reply.wasSent : isUncertain(refusal);
    if (wasSent && !request.isRead) progress.mayHaveWritten = true;
    if (refusal.code === 'release_unavailable') endpoints.leaveOut(progress.endpoint);
    const isSafe = request.isRead || progress.key !== null || !progress.mayHaveWritten;
    if (!isSafe || !(await mayRepeat(refusal, run))) {
      return refused(stop.reason === 'aborted' ? ABORTED : refusal, run, 'noReply' in reply ? reply.cause : undefined);
    }
  }
}

/** Whether the request was refused for its session alone, which is then dropped. Nothing was done. */
function isForgotten({ code, message }: ErrorFields, { context, progress }: Run): boolean {
  const { session } = context.options;
  const isOfSession = code === 'malformed_request' && message.startsWith('Habitat-Session ');
  if (!isOfSession || session === null || progress.session === null) return false;
  if (session.header() === progress.session) session.forget();
  return true;
}

const ABORTED: ErrorFields = {
  ...{ code: 'aborted', message: 'The caller gave the call up.', status: 0, retryable: false, retryAfterMs: null },
  ...{ requestId: null, help: null, policy: null, details: {} },
};

async function sendOnce({ request, context, stop, progress }: Run): Promise<HttpReply | NoReply> {
  const { core, options } = context;
  const session = options.session?.header() ?? null;
  progress.session = session;
  const headers = await headersOf(request, context, { stop, key: progress.key, session });
  const path = `/v1/${encodeURIComponent(core.tenant)}${request.path}`;
  const { method, body } = request;
  const not = progress.attempts === 0 ? undefined : progress.endpoint;
  const { outcome, origin } = await core.endpoints.send({ method, path, headers, body }, stop, not);
  progress.attempts += 1;
  progress.endpoint = origin;
  if ('noReply' in outcome) {
    if (outcome.cause instanceof errors.InvalidArgumentError) throw new TypeError(outcome.cause.message);
    return outcome;
  }
  progress.last = outcome;
  const ru = headerOf(outcome, 'habitat-ru');
  if (ru !== null) progress.ru = (progress.ru ?? 0) + Number(ru);
  const token = headerOf(outcome, 'habitat-session');
  if (token !== null) options.session?.note(session, token);
  return outcome;
}

interface Sending {
  readonly stop: Stop;
  readonly key: string | null;
  readonly session: string | null;
}

async function headersOf(request: Request, { core, options }: CallContext, { stop, key, session }: Sending) {
  const secret = core.key();
  const remainingMs = stop.remainingMs();
  const deadlineMs = Math.min(MAX_DEADLINE_MS, Math.floor(remainingMs - Math.min(HEARING_MS, remainingMs / 10)));
  const headers: Record<string, string> = {
    ...request.headers,
    authorization: `Bearer ${typeof secret === 'string' ? secret : await secret}`,
    'habitat-deadline-ms': String(Math.max(1, deadlineMs)),
  };
  if (options.consistency !== undefined) headers['habitat-consistency'] = options.consistency;
  if (session !== null) headers['habitat-session'] = session;
  if (key !== null) headers['idempotency-key'] = key;
  const { traceparent } = options;
  const trace = typeof traceparent === 'function' ? traceparent() : traceparent;
  if (trace !== undefined) headers.traceparent = trace;
  return headers;
}

/** Waits before the next attempt; false when there should be none. */
async function mayRepeat(refusal: ErrorFields, { context, stop, progress }: Run): Promise<boolean> {
  const { budget, random } = context.core;
  const isFinal = !RETRIED.has(refusal.code) || (refusal.code === 'unreadable_reply' && !refusal.retryable);
  if (stop.reason !== null || isFinal || progress.attempts >= MOST_ATTEMPTS) return false;
  const spreadMs = Math.min(LONGEST_PAUSE_MS, BASE_PAUSE_MS * 2 ** Math.max(0, progress.attempts - 1));
  // Full jitter: callers that failed together come back apart.
  const pauseMs = (refusal.retryAfterMs ?? 0) + random() * spreadMs;
  if (pauseMs >= stop.remainingMs() || !budget.spend()) return false;
  await pause(pauseMs, stop);
  return stop.reason === null;
}

function refused(refusal: ErrorFields, { request, progress }: Run, cause: unknown): Called {
  const { mayHaveWritten, attempts, key } = progress;
  const isOpen = mayHaveWritten && refusal.code !== 'aborted';
  const told: ErrorFields = isOpen ? { ...refusal, code: 'outcome_unknown', message: uncertain(refusal) } : refusal;
  const { operation } = request;
  return {
    refusal: told,
    error: () => new HabitatError({ ...told, operation, idempotencyKey: key, mayHaveWritten, attempts }, cause),
  };
}

/** Whether a write may have taken effect after this answer. A proxy's refusal of the request itself never reached a gateway. */
function isUncertain({ code, status }: ErrorFields): boolean {
  return code === 'outcome_unknown' || (code === 'unreadable_reply' && (status < 400 || status >= 500));
}

function uncertain({ code, message }: ErrorFields): string {
  if (code === 'outcome_unknown') return message;
  return `The write may have happened; repeat it with the same idempotency key. ${code}: ${message}`;
}

function keyOf(idempotencyKey: string | null | undefined): string | null {
  return idempotencyKey === undefined ? randomUUID() : idempotencyKey;
}

function codeOf(called: Called): RequestNote['code'] {
  return 'refusal' in called ? called.refusal.code : null;
}

function noteOf(request: Request, progress: Progress, end: Pick<RequestNote, 'endedAtMs' | 'code'>): RequestNote {
  const { last, attempts, ru, endpoint, startedAtMs } = progress;
  const said = (name: string) => (last === null ? null : headerOf(last, name));
  return {
    operation: request.operation,
    parts: request.parts,
    ...{ attempts, ru, endpoint, startedAtMs, ...end },
    servedFrom: said('habitat-served-from'),
    release: said('habitat-release'),
    requestId: said('habitat-request-id'),
    deprecated: said('habitat-deprecated'),
  };
}
