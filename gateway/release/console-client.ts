/**
 * The gateway's side of the machine API. Never rejects: `away` is no answer or a fault of the console, worth repeating;
 * `refused` is an answer that repeating will not change.
 */
export interface ConsoleClient {
  get(path: string, options?: GetOptions): Promise<ConsoleAnswer>;
  post(path: string, body: unknown): Promise<ConsoleAnswer>;
}

export interface GetOptions {
  readonly ifNoneMatch?: string | null;
  /** Longer than the console may hold the request. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export type ConsoleAnswer =
  | { readonly kind: 'ok'; readonly status: number; readonly etag: string | null; readonly body: Buffer }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'away'; readonly message: string };

const TIMEOUT_MS = 10_000;
const MAX_MESSAGE = 300;

export function createConsoleClient(options: {
  readonly consoleUrl: string;
  readonly gateway: string;
  readonly token: string;
}): ConsoleClient {
  const urlOf = (path: string) => {
    const url = new URL(`/api/gateway/${path}`, options.consoleUrl);
    url.searchParams.set('gateway', options.gateway);
    return url;
  };
  const authorization = `Bearer ${options.token}`;
  return {
    get: (path, { ifNoneMatch, timeoutMs = TIMEOUT_MS, signal } = {}) => {
      const headers: Record<string, string> = { authorization };
      if (typeof ifNoneMatch === 'string') headers['if-none-match'] = ifNoneMatch;
      return ask(urlOf(path), { headers, signal: withTimeout(timeoutMs, signal) });
    },
    post: (path, body) => {
      const headers = { authorization, 'content-type': 'application/json' };
      return ask(urlOf(path), {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    },
  };
}

function withTimeout(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

async function ask(url: URL, init: RequestInit): Promise<ConsoleAnswer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error' });
    const body = Buffer.from(await response.arrayBuffer());
    const { status } = response;
    if (response.ok || status === 304) return { kind: 'ok', status, etag: response.headers.get('etag'), body };
    const message = body.toString('utf8').slice(0, MAX_MESSAGE);
    // The console's own trouble, a missing right that an operator is mending, or too many calls: all pass.
    const passes = status >= 500 || status === 401 || status === 403 || status === 408 || status === 429;
    return passes ? { kind: 'away', message: `${status} ${message}` } : { kind: 'refused', status, message };
  } catch (error) {
    return { kind: 'away', message: causeOf(error) };
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
