import 'server-only';
import type { z } from 'zod';
import { readActor } from '#server/auth/read-actor.ts';
import type { Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { checkCsrf } from './csrf.ts';
import { type Installation, installation } from './installation.ts';
import { createRateLimiter, PERSON_LIMIT } from './rate-limit.ts';
import { fieldsOf, respond } from './respond.ts';

/** Next's second argument of a route: the path's parameters. */
interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined>>;
}

export type Verb<Schema extends z.ZodType> = (ctx: Ctx, input: z.infer<Schema>) => Promise<unknown>;

/** Largest body of a request, bytes. The largest honest one is a change of 200 edits. */
const MAX_BODY_BYTES = 4_000_000;

/**
 * One route of the console's API: session → actor → CSRF (unless GET) → rate → parse → verb → reply. The input is the
 * query (GET) or the JSON body (else) with the path's parameters laid over it, parsed by `schema`.
 * Refuses with `not_signed_in`, `csrf_refused`, `too_many_requests`, `invalid_input`, and whatever the verb throws.
 */
export const handle = createHandle(installation);

/** `handle` over another installation, as tests have it. */
export function createHandle(open: () => Promise<Installation>) {
  const limiter = createRateLimiter(PERSON_LIMIT);
  return <Schema extends z.ZodType>(schema: Schema, verb: Verb<Schema>) =>
    (request: Request, route?: RouteContext): Promise<Response> =>
      respond(async (requestId) => {
        const { env, db, signer, listener, now } = await open();
        const nowMs = now();
        if (request.method !== 'GET') checkCsrf(request, env.consoleUrl);
        const actor = await readActor({ db, env, cookie: request.headers.get('cookie') });
        if (actor === null) throw new ServerError('not_signed_in', { publicMessage: 'Sign in first.' });
        checkRate(limiter.take(actor.id, nowMs));
        const parsed = schema.safeParse({ ...(await readInput(request)), ...(await readParams(route)) });
        if (!parsed.success) throw invalidInput(parsed.error);
        const { signal } = request;
        return verb({ actor, requestId, db, nowMs, signer, env, listener, signal }, parsed.data);
      });
}

function checkRate(waitMs: number): void {
  if (waitMs === 0) return;
  throw new ServerError('too_many_requests', {
    publicMessage: `You sent more requests than the console takes from one person. Try again in ${Math.ceil(waitMs / 1_000)} s.`,
  });
}

function invalidInput(error: z.ZodError): ServerError {
  const first = error.issues[0];
  return new ServerError('invalid_input', {
    publicMessage: first === undefined ? 'The input is not valid.' : first.message,
    fields: fieldsOf(error),
  });
}

async function readInput(request: Request): Promise<Record<string, unknown>> {
  if (request.method === 'GET') return Object.fromEntries(new URL(request.url).searchParams);
  const text = await request.text();
  if (text.length > MAX_BODY_BYTES) throw badBody('The body is larger than 4 MB.');
  if (text === '') return {};
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody('The body is not a JSON object.');
  return { ...body };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServerError('invalid_input', { publicMessage: 'The body is not JSON.', cause });
  }
}

function badBody(publicMessage: string): ServerError {
  return new ServerError('invalid_input', { publicMessage });
}

async function readParams(route: RouteContext | undefined): Promise<Record<string, unknown>> {
  return route === undefined ? {} : await route.params;
}
