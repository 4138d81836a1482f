import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { API_HEADER, API_VERSION, IDEMPOTENCY_HEADER } from '#server/contract/api/version.ts';
import { ConsoleErrorBody, SERVER_ERRORS, type ServerErrorCode } from '#server/contract/errors.ts';
import type { Credentials } from './credentials.ts';
import { CliError, EXIT, type Exit } from './exit.ts';

const TIMEOUT_MS = 60_000;
/** A request that the console asks to repeat is repeated so often. */
const MAX_TRIES = 4;
/** The longest that one wish to wait is followed. */
const MAX_WAIT_MS = 30_000;

export interface ConsoleApi {
  readonly url: string;
  get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>>;
  send<Schema extends z.ZodType>(
    act: `${'POST' | 'PUT'} ${string}`,
    schema: Schema,
    body: unknown,
  ): Promise<z.infer<Schema>>;
}

/**
 * The console's API with a token. Every failure is a CliError: a conflict is exit 3, input that the console refuses is
 * exit 4 as all else of the server. Sends the token to this console only; a redirect is not followed.
 */
export function consoleApi({ url, token }: Credentials): ConsoleApi {
  const headers = {
    authorization: `Bearer ${token}`,
    [API_HEADER]: String(API_VERSION),
    // Reading thousands of files takes longer than a server keeps an idle connection, and one that it closed meanwhile
    // would be used again unawares.
    connection: 'close',
  };
  return {
    url,
    get: (path, schema) => exchange(url, path, schema, { headers }),
    send: (act, schema, body) => {
      const [method = '', path = ''] = act.split(' ');
      const own = { ...headers, 'content-type': 'application/json', [IDEMPOTENCY_HEADER]: randomUUID() };
      return exchange(url, path, schema, { method, headers: own, body: JSON.stringify(body) });
    },
  };
}

async function exchange<Schema extends z.ZodType>(
  url: string,
  path: string,
  schema: Schema,
  init: RequestInit,
): Promise<z.infer<Schema>> {
  for (let tries = 1; ; tries += 1) {
    const response = await reach(url, path, init);
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) {
      checkServer(url, response);
      return readReply(url, schema, body);
    }
    const error = refusalOf(url, response, body);
    const waitMs = waitOf(response);
    if (waitMs === null || tries === MAX_TRIES) throw error;
    await pause(waitMs);
  }
}

async function reach(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    const why = isLate ? `did not answer within ${TIMEOUT_MS / 1_000} s` : `cannot be reached (${reasonOf(cause)})`;
    throw new CliError(EXIT.server, { code: 'unreachable', message: `${url} ${why}.`, cause });
  }
}

/** The other half of the handshake: a console of before this API would misread what the command sends. */
function checkServer(url: string, response: Response): void {
  const spoken = response.headers.get(API_HEADER);
  if (spoken !== null && Number(spoken) >= API_VERSION) return;
  const what =
    spoken === null
      ? `${url} is no console of Habitat, or an older one than this command`
      : `${url} speaks API ${spoken}, and this command needs ${API_VERSION}`;
  throw new CliError(EXIT.server, {
    code: 'server_too_old',
    message: `${what}. Check the address; use the command of the console's own version.`,
  });
}

function readReply<Schema extends z.ZodType>(url: string, schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new CliError(EXIT.server, {
    code: 'unexpected_reply',
    message: `${url} answered in a shape that this command does not know. Use the command of the console's own version.`,
    cause: parsed.error,
  });
}

const EXITS: Readonly<Partial<Record<ServerErrorCode, Exit>>> = {
  conflict: EXIT.conflict,
  revision_conflict: EXIT.conflict,
  wrong_state: EXIT.conflict,
  publishing_frozen: EXIT.conflict,
  blocked_by_findings: EXIT.differences,
};

function refusalOf(url: string, response: Response, body: unknown): CliError {
  const parsed = ConsoleErrorBody.safeParse(body);
  if (parsed.success) {
    const { code, message, requestId, fields } = parsed.data.error;
    return new CliError(EXITS[code] ?? EXIT.server, { code, message, requestId, fields });
  }
  const to = response.headers.get('location');
  const said =
    to === null
      ? `answered ${response.status} without saying why`
      : `leads elsewhere (${response.status} to ${new URL(to, url).origin}); tokens are not sent there`;
  return new CliError(EXIT.server, { code: 'unexpected_reply', message: `${url} ${said}. Check the address.` });
}

/** How long the console asks to wait before the same request again; null when it does not. */
function waitOf(response: Response): number | null {
  const { status } = SERVER_ERRORS.too_many_requests;
  if (response.status !== status) return null;
  const seconds = Number(response.headers.get('retry-after') ?? '1');
  return Math.min(MAX_WAIT_MS, Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1_000);
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  if (inner instanceof Error && 'code' in inner && typeof inner.code === 'string') return inner.code;
  return inner instanceof Error ? inner.message : 'no answer';
}
