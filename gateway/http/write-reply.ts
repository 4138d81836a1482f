import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { HEADERS_OUT } from '#gateway/contract/data-api.ts';
import { ERRORS } from '#gateway/contract/errors.ts';
import { STAGES } from '#gateway/contract/telemetry.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { Reply } from '#gateway/pipeline/request.ts';
import type { Trace } from '#gateway/pipeline/trace.ts';
import type { Sessions } from '#gateway/sealed/session.ts';
import { errorBodyOf } from './error-body.ts';

export interface WriteContext {
  readonly consoleUrl: string;
  readonly sessions: Sessions;
}

/** Writes the reply; resolves when its last byte is with the operating system, or the caller is gone. */
export function writeReply(
  response: ServerResponse,
  { outcome, trace }: { outcome: Reply | Denial; trace: Trace },
  context: WriteContext,
): Promise<void> {
  const headers = commonHeaders(trace);
  const { status, body } = isDenial(outcome)
    ? refusal(outcome, { headers, trace, consoleUrl: context.consoleUrl })
    : answer(outcome, { headers, trace, sessions: context.sessions });
  return new Promise((resolve) => {
    // Comes after `finish`, and without it when the caller left.
    response.once('close', resolve);
    if (response.destroyed) return resolve();
    if (body !== null) headers['Content-Length'] = Buffer.byteLength(body);
    response.writeHead(status, headers);
    if (body === null) response.end();
    else if (typeof body === 'string') response.end(body);
    else if (body.length > JOINED_BYTES) response.end(body);
    // One string with its head goes out by one plain write; a head before a buffer takes a gathering one, a sixth more.
    else response.end(bufferOf(body).toString('latin1'), 'latin1');
  });
}

/** Longer bodies are not worth a copy. */
const JOINED_BYTES = 16_384;

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The region whose reply was used last; `cache` when all came from there, `store` when nothing was asked. */
function servedFrom({ attempts, cache }: Trace): string {
  if (cache === 'hit') return 'cache';
  const isUsed = ({ status, overtaken }: Trace['attempts'][number]) => !overtaken && status > 0 && status < 500;
  return attempts.findLast(isUsed)?.region || 'store';
}

interface Writing {
  readonly headers: OutgoingHttpHeaders;
  readonly trace: Trace;
}

function answer(reply: Reply, { headers, trace, sessions }: Writing & { sessions: Sessions }) {
  const { call } = trace.incoming;
  const session = sessions.seal(reply.session, isDenial(call) ? [] : call.session);
  if (session !== null) headers[HEADERS_OUT.session] = session;
  if (reply.version !== null) headers.ETag = `"${reply.version}"`;
  if (reply.contentType !== null) headers['Content-Type'] = reply.contentType;
  headers[HEADERS_OUT.servedFrom] = servedFrom(trace);
  return { status: reply.status, body: reply.body };
}

function refusal(denial: Denial, { headers, trace, consoleUrl }: Writing & { consoleUrl: string }) {
  const { code, retryAfterMs } = denial;
  if (retryAfterMs !== undefined) headers['Retry-After'] = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  if (code === 'unauthenticated') headers['WWW-Authenticate'] = 'Bearer';
  headers['Content-Type'] = 'application/json';
  return {
    status: ERRORS[code].status,
    body: JSON.stringify(errorBodyOf(denial, trace.incoming.requestId, consoleUrl)),
  };
}

function commonHeaders(trace: Trace): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    [HEADERS_OUT.requestId]: trace.incoming.requestId,
    [HEADERS_OUT.ru]: (Math.round(trace.ru * 100) / 100).toString(),
    [HEADERS_OUT.serverTiming]: serverTiming(trace),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  if (trace.release !== null) headers[HEADERS_OUT.release] = `r${trace.release.number}`;
  if (trace.misfit !== null)
    headers[HEADERS_OUT.misfit] = `${encodeURI(trace.misfit.path.toWellFormed())} ${trace.misfit.reason}`;
  if (trace.deprecated.size > 0) headers[HEADERS_OUT.deprecated] = deprecatedTypes(trace);
  if (trace.quota !== null) {
    headers[HEADERS_OUT.limit] = Math.floor(trace.quota.limitPerSecond);
    headers[HEADERS_OUT.remaining] = trace.quota.remaining;
    // A bucket holds one second of its limit, so it is full again within one.
    headers[HEADERS_OUT.reset] = 1;
  }
  return headers;
}

/** Clients take headers of 16 KB together; a batch may meet more deprecated types than that tells. */
const MAX_DEPRECATED_BYTES = 4_096;

function deprecatedTypes({ deprecated }: Trace): string {
  let text = '';
  for (const entry of [...deprecated].sort()) {
    const longer = text === '' ? entry : `${text}, ${entry}`;
    if (longer.length > MAX_DEPRECATED_BYTES) break;
    text = longer;
  }
  return text;
}

/** Stages in whole microseconds as milliseconds with three decimals. */
function serverTiming({ stages }: Trace): string {
  let text = '';
  for (const stage of STAGES) {
    const us = stages[stage];
    if (us === undefined) continue;
    const fraction = us % 1_000;
    const zeros = fraction < 10 ? '00' : fraction < 100 ? '0' : '';
    text += `${text === '' ? '' : ', '}${stage};dur=${Math.floor(us / 1_000)}.${zeros}${fraction}`;
  }
  return text;
}
