import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import { findApiRoute } from '#server/contract/api/api-routes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { answerOnce, idempotencyKeyOf } from './answer-once.ts';
import { checkApiVersion } from './api-version.ts';
import { createAuthenticator } from './authenticate.ts';
import { type Installation, installation } from './installation.ts';
import { fieldsOf, respond } from './respond.ts';

/** Next's second argument of a route: the path's parameters. */
interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined>>;
}

export type Verb<Schema extends z.ZodType> = (ctx: Ctx, input: z.infer<Schema>) => Promise<unknown>;

/** Largest body of a request, bytes. The largest honest one is a change of 200 edits. */
const MAX_BODY_BYTES = 4_000_000;

/** A route's handler, with the shape of its input for those who describe the API. */
export interface RouteHandler {
  (request: Request, route?: RouteContext): Promise<Response>;
  readonly input: z.ZodType;
}

/**
 * One route of the console's API: version → session or token → rate → scope → parse → verb → reply. The input is the
 * query (GET) or the JSON body (else) with the path's parameters laid over it, parsed by `schema`. What the route is for
 * and which scope it needs stands in server/contract/api; one that does not stand there takes no token. Refuses with
 * `client_too_old`, `not_signed_in`, `csrf_refused`, `not_permitted`, `too_many_requests`, `invalid_input`, and whatever
 * the verb throws.
 */
export const handle = createHandle(installation);

/** `handle` over another installation, as tests have it. */
export function createHandle(open: () => Promise<Installation>) {
  const authenticate = createAuthenticator();
  return <Schema extends z.ZodType>(schema: Schema, verb: Verb<Schema>): RouteHandler => {
    const answer = (request: Request, route?: RouteContext) =>
      respond(async (requestId) => {
        checkApiVersion(request);
        const shared = await open();
        const { env, db, signer, listener, now } = shared;
        const nowMs = now();
        const declared = findApiRoute(request.method, new URL(request.url).pathname);
        const actor = await authenticate({ installation: shared, request, route: declared, nowMs });
        const parsed = schema.safeParse({ ...(await readInput(request)), ...(await readParams(route)) });
        if (!parsed.success) throw invalidInput(parsed.error);
        const { signal } = request;
        const work = () => verb({ actor, requestId, db, nowMs, signer, env, listener, signal }, parsed.data);
        const key = declared?.isIdempotent === true ? idempotencyKeyOf(request) : null;
        if (key === null || declared === null) return work();
        const once = { db, actorId: actor.id, key, route: declared.key, input: parsed.data, nowMs };
        return answerOnce(once, work);
      });
    return Object.assign(answer, { input: schema });
  };
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
