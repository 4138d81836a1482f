import type { z } from 'zod';
import { ConsoleErrorBody, CSRF_HEADER, CSRF_VALUE, type ServerErrorCode } from '#server/contract/errors.ts';

/** Codes that only the browser's side can give: no answer at all, too late, or an answer of another shape. */
export type ClientErrorCode = 'unreachable' | 'timed_out' | 'unexpected_reply';

interface ConsoleErrorInit {
  readonly code: ServerErrorCode | ClientErrorCode;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly retryable: boolean;
  /** JSON path of the input → what is wrong there. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly cause?: unknown;
}

/** Every way in which a request to the console can fail, as one typed error. Its message is for the person. */
export class ConsoleError extends Error {
  readonly code: ServerErrorCode | ClientErrorCode;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly fields: Readonly<Record<string, string>>;

  constructor(init: ConsoleErrorInit) {
    super(init.message, { cause: init.cause });
    this.name = 'ConsoleError';
    this.code = init.code;
    this.requestId = init.requestId;
    this.retryable = init.retryable;
    this.fields = init.fields ?? {};
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface GetOptions {
  readonly query?: Query | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

interface SendOptions {
  readonly body?: unknown;
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 15_000;

/** Reads from the console's API; the reply is parsed by the contract's schema. Throws ConsoleError only (and AbortError). */
export async function apiGet<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  options: GetOptions = {},
): Promise<z.infer<Schema>> {
  const response = await send(withQuery(path, options.query), { method: 'GET' }, options);
  return parseReply(response, schema);
}

/** Changes something through the console's API. Carries the header that a foreign site cannot set. */
export async function apiSend<Schema extends z.ZodType>(
  act: `${'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`,
  schema: Schema,
  options: SendOptions = {},
): Promise<z.infer<Schema>> {
  const at = act.indexOf(' ');
  const init = {
    method: act.slice(0, at),
    headers: { 'content-type': 'application/json', [CSRF_HEADER]: CSRF_VALUE },
    body: JSON.stringify(options.body ?? {}),
  };
  return parseReply(await send(act.slice(at + 1), init, options), schema);
}

/** Opens a stream of text that the console keeps writing to (server-sent events). It ends when the signal aborts. */
export async function apiStream(path: string, signal: AbortSignal): Promise<ReadableStream<string>> {
  const init = {
    headers: { accept: 'text/event-stream' },
    signal,
    credentials: 'same-origin',
    cache: 'no-store',
  } as const;
  const response = await fetch(path, init).catch((cause: unknown) => {
    throw new ConsoleError({ code: 'unreachable', message: 'The console cannot be reached.', retryable: true, cause });
  });
  if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
  if (response.body === null)
    throw new ConsoleError({ code: 'unexpected_reply', message: 'The console sent no stream.', retryable: true });
  return response.body.pipeThrough(new TextDecoderStream());
}

/** The sentence of any error, for a place that shows one. */
export function messageOf(error: unknown): string {
  return error instanceof ConsoleError ? error.message : 'The page failed. Reload it; what was saved is safe.';
}

/** `path` with its query, leaving out what is undefined. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function send(path: string, init: RequestInit, options: GetOptions): Promise<Response> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    return await fetch(path, { ...init, signal, credentials: 'same-origin', cache: 'no-store' });
  } catch (cause) {
    // Left by the page itself: react-query drops it silently.
    if (options.signal?.aborted) throw cause;
    if (timeout.aborted) {
      throw new ConsoleError({
        code: 'timed_out',
        message: 'The console did not answer in time.',
        retryable: true,
        cause,
      });
    }
    throw new ConsoleError({ code: 'unreachable', message: 'The console cannot be reached.', retryable: true, cause });
  }
}

/** Whether an answer says that there is no such thing. */
export const isNotFound = (error: unknown): boolean => error instanceof ConsoleError && error.code === 'not_found';

async function parseReply<Schema extends z.ZodType>(response: Response, schema: Schema): Promise<z.infer<Schema>> {
  const body: unknown = response.status === 204 ? {} : await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(response, body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ConsoleError({
    code: 'unexpected_reply',
    message:
      'The console answered in a shape that this page does not know. It may have been upgraded: reload the page.',
    retryable: false,
    cause: parsed.error,
  });
}

function errorOf(response: Response, body: unknown): ConsoleError {
  const parsed = ConsoleErrorBody.safeParse(body);
  if (parsed.success) return new ConsoleError(parsed.data.error);
  return new ConsoleError({
    code: response.status === 401 ? 'not_signed_in' : 'unexpected_reply',
    message:
      response.status === 401 ? 'You are signed out.' : `The console answered ${response.status} without saying why.`,
    retryable: response.status >= 500,
  });
}
