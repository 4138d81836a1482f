import { type ErrorCode, type ErrorFields, GATEWAY_CODES } from '#gateway/client/habitat-error.ts';
import type { HttpReply, NoReply } from '#gateway/client/transport/exchange.ts';

/** Where content that was stored does not fit its type's schema, while that only warns. */
export interface Misfit {
  /** A JSON pointer, empty for the whole. */
  readonly path: string;
  readonly reason: string;
}

/** A success, whether it came alone or in a batch. */
export interface Answer {
  readonly status: number;
  readonly version: string | null;
  readonly contentType: string | null;
  /** An object's content. */
  readonly content: Uint8Array | string;
  readonly misfit: Misfit | null;
  /** The reply's JSON; what is in it is the contract's, which tests hold. */
  json<B>(): B;
}

export type Outcome = { readonly answer: Answer } | { readonly refusal: ErrorFields };

/** A result of a batch, see `BatchResults` in the gateway's contract. */
export interface BatchResult {
  readonly status: number;
  readonly requestId: string;
  readonly version?: string;
  readonly misfit?: Misfit;
  readonly contentType?: string;
  readonly text?: string;
  readonly base64?: string;
  readonly body?: unknown;
  readonly error?: RawError;
}

interface RawError {
  readonly code?: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly policy?: string;
  readonly help?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a reply over HTTP says. One without a gateway's request id is a proxy's, whatever its status. */
export function outcomeOf(reply: HttpReply | NoReply): Outcome {
  if ('noReply' in reply) return { refusal: brokenOf(reply) };
  const { status, headers, body } = reply;
  const requestId = headerOf(reply, 'habitat-request-id');
  if (requestId === null || (status >= 300 && status < 400 && status !== 304)) return { refusal: unreadable(reply) };
  if (status >= 400) return errorIn(reply);
  return {
    answer: {
      status,
      version: headerOf(reply, 'etag')?.replace(/^"|"$/g, '') ?? null,
      contentType: headers['content-type'] ?? null,
      content: body,
      misfit: misfitOf(headerOf(reply, 'habitat-content-misfit')),
      json: <B>() => JSON.parse(body.toString('utf8')) as B,
    },
  };
}

export function outcomeOfResult(result: BatchResult): Outcome {
  const { status, requestId, version, contentType, text, base64, body, misfit, error } = result;
  if (error !== undefined) return { refusal: refusalOf({ requestId, ...error }, status) };
  return {
    answer: {
      ...{ status, version: version ?? null, contentType: contentType ?? null, misfit: misfit ?? null },
      content: text ?? Buffer.from(base64 ?? '', 'base64'),
      json: <B>() => body as B,
    },
  };
}

/** One value of a header of a reply. */
export function headerOf({ headers }: HttpReply, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
}

const BARE = { status: 0, retryAfterMs: null, requestId: null, help: null, policy: null, details: {} } as const;

function brokenOf({ noReply, cause }: NoReply): ErrorFields {
  const why = cause instanceof Error ? ` ${cause.message}` : '';
  switch (noReply) {
    case 'unreachable':
      return { ...BARE, code: noReply, retryable: true, message: `No gateway could be reached.${why}` };
    case 'connection_lost':
      return { ...BARE, code: noReply, retryable: true, message: `The connection broke before the reply came.${why}` };
    case 'deadline':
      return { ...BARE, code: 'deadline_exceeded', retryable: true, message: 'No reply came within the deadline.' };
    case 'aborted':
      return { ...BARE, code: noReply, retryable: false, message: 'The caller gave the call up.' };
  }
}

function unreadable(reply: HttpReply): ErrorFields {
  const { status } = reply;
  const says = reply.headers['content-type'] ?? 'no content type';
  const message = `HTTP ${status} (${says}) is no reply of a gateway; something between answered.`;
  const retryable = status === 429 || status >= 500;
  return { ...BARE, code: 'unreadable_reply', status, retryable, message, retryAfterMs: retryAfterOf(reply) };
}

/** RFC 9110 §10.2.3, in seconds; as a date it is what no gateway sends, and clocks differ. */
function retryAfterOf(reply: HttpReply): number | null {
  const text = headerOf(reply, 'retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : null;
}

function errorIn(reply: HttpReply): Outcome {
  const { error } = parse(reply.body.toString('utf8')) ?? {};
  if (error === undefined) return { refusal: unreadable(reply) };
  const refusal = refusalOf(error, reply.status);
  return { refusal: { ...refusal, retryAfterMs: refusal.retryAfterMs ?? retryAfterOf(reply) } };
}

function parse(text: string): { readonly error?: RawError } | null {
  try {
    return JSON.parse(text) as { readonly error?: RawError } | null;
  } catch {
    return null;
  }
}

function refusalOf(error: RawError, status: number): ErrorFields {
  const { code = '', message = '' } = error;
  const isKnown = KNOWN.has(code);
  return {
    code: isKnown ? (code as ErrorCode) : 'unrecognized',
    message: isKnown ? message : `${code}: ${message}`,
    status,
    retryable: error.retryable ?? false,
    retryAfterMs: error.retryAfterMs ?? null,
    requestId: error.requestId ?? null,
    help: error.help ?? null,
    policy: error.policy ?? null,
    details: error.details ?? {},
  };
}

function misfitOf(header: string | null): Misfit | null {
  if (header === null) return null;
  const cut = header.indexOf(' ');
  return { path: decodeURI(header.slice(0, cut)), reason: header.slice(cut + 1) };
}

const KNOWN: ReadonlySet<string> = new Set(GATEWAY_CODES);
