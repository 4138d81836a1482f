import 'server-only';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Fault, LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import type { ServerErrorCode } from '#server/contract/errors.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { LocalCosmosEnv } from '#server/env.ts';

/** It answers in a millisecond, on this machine. */
const ANSWER_WITHIN_MS = 3_000;

const Nothing = z.unknown();

/** What the endpoint refuses with, and what that means to whoever asked the console. */
const REFUSALS: Readonly<Record<number, ServerErrorCode>> = {
  400: 'invalid_input',
  404: 'not_found',
  409: 'wrong_state',
};
const Refusal = z.object({ message: z.string() });

type Act = `${'GET' | 'POST' | 'DELETE'} /${string}`;

/** GET /state: accounts, regions and the faults that are on. Refuses as every call does. */
export function readState(to: LocalCosmosEnv): Promise<LocalCosmosState> {
  return call(to, 'GET /state', { reply: LocalCosmosState });
}

/** POST /faults */
export function addFault(to: LocalCosmosEnv, body: object): Promise<Fault> {
  return call(to, 'POST /faults', { body, reply: Fault });
}

/** DELETE /faults/{id}, or all of them. */
export async function removeFault(to: LocalCosmosEnv, id: string | 'all'): Promise<void> {
  await call(to, id === 'all' ? 'DELETE /faults' : `DELETE /faults/${encodeURIComponent(id)}`, { reply: Nothing });
}

/** POST /failover and POST /budget, which answer nothing. */
export async function setAccount(to: LocalCosmosEnv, what: 'failover' | 'budget', body: object): Promise<void> {
  await call(to, `POST /${what}`, { body, reply: Nothing });
}

/**
 * One call of the admin API of the local Cosmos endpoint. Refuses with `cosmos_away` when nothing that can be used comes
 * back, else as the endpoint refuses: `invalid_input`, `not_found`, `wrong_state`.
 */
async function call<Schema extends z.ZodType>(
  to: LocalCosmosEnv,
  act: Act,
  options: { readonly body?: object; readonly reply: Schema },
): Promise<z.infer<Schema>> {
  const response = await send(to, act, options.body);
  const text = await response.text().catch((cause: unknown) => {
    throw away(to, 'it stopped in the middle of its answer', cause);
  });
  if (!response.ok) throw refusal(to, response.status, text);
  const reply = options.reply.safeParse(text === '' ? undefined : parseJson(text));
  if (reply.success) return reply.data;
  throw away(to, 'it answers in a shape that this console does not know', reply.error);
}

async function send(to: LocalCosmosEnv, act: Act, body: object | undefined): Promise<Response> {
  const at = act.indexOf(' ');
  const token = await readToken(to);
  try {
    return await fetch(`${to.adminUrl}${act.slice(at + 1)}`, {
      method: act.slice(0, at),
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: 'error',
    });
  } catch (cause) {
    throw away(to, reasonOf(cause), cause);
  }
}

async function readToken(to: LocalCosmosEnv): Promise<string> {
  try {
    return (await readFile(to.adminTokenFile, 'utf8')).trim();
  } catch (cause) {
    throw away(to, 'its token file cannot be read', cause);
  }
}

function refusal(to: LocalCosmosEnv, status: number, text: string): ServerError {
  const code = REFUSALS[status];
  if (code === undefined) {
    return away(to, status === 401 ? "it refuses the console's token" : `it answers ${status}`, text);
  }
  const said = Refusal.safeParse(parseJson(text));
  return new ServerError(code, {
    publicMessage: said.success ? said.data.message : `The local Cosmos endpoint refused this with ${status}.`,
  });
}

function away(to: LocalCosmosEnv, reason: string, cause: unknown): ServerError {
  const { host } = new URL(to.adminUrl);
  return new ServerError('cosmos_away', {
    publicMessage: `The local Cosmos endpoint does not answer at ${host}: ${reason}.`,
    cause,
  });
}

/** `fetch` fails with a TypeError whose cause says what the socket saw. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${ANSWER_WITHIN_MS / 1_000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED') return 'the connection is refused';
  return code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
    ? 'the connection was cut'
    : `it cannot be reached (${code})`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
