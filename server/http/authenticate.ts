import 'server-only';
import { readActor } from '#server/auth/read-actor.ts';
import type { Actor } from '#server/context.ts';
import type { PlacedRoute } from '#server/contract/api/api-routes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { readTokenActor } from '#server/tokens/read-token-actor.ts';
import { checkCsrf } from './csrf.ts';
import type { Installation } from './installation.ts';
import { createRateLimiter, PERSON_LIMIT, STRANGER_LIMIT, TOKEN_LIMIT } from './rate-limit.ts';

interface Asked {
  readonly installation: Pick<Installation, 'db' | 'env'>;
  readonly request: Request;
  readonly route: PlacedRoute | null;
  readonly nowMs: number;
}

/**
 * Who sends a request: a person by the session's cookie, which for a change also needs to come from our own page, or a
 * token by `Authorization: Bearer`, which needs the scope of the route. Each is limited by itself; whoever is nobody, by
 * address. Refuses with `csrf_refused`, `not_signed_in`, `not_permitted`, `too_many_requests`.
 */
export function createAuthenticator(): (asked: Asked) => Promise<Actor> {
  const people = createRateLimiter(PERSON_LIMIT);
  const tokens = createRateLimiter(TOKEN_LIMIT);
  const strangers = createRateLimiter(STRANGER_LIMIT);
  return async (asked) => {
    const { request, nowMs, route } = asked;
    const bearer = bearerOf(request);
    try {
      const actor = bearer === null ? await personOf(asked) : await tokenOf(asked, bearer);
      const limiter = actor.token === undefined ? people : tokens;
      checkRate(limiter.take(actor.token?.id ?? actor.id, nowMs), actor.token === undefined ? 'person' : 'token');
      checkScope(actor, route);
      return actor;
    } catch (error) {
      // Guessing costs a stranger their bucket, never anybody else's.
      if (error instanceof ServerError && error.code === 'not_signed_in') {
        checkRate(strangers.take(addressOf(request), nowMs), 'address');
      }
      throw error;
    }
  };
}

async function personOf({ installation: { db, env }, request }: Asked): Promise<Actor> {
  if (request.method !== 'GET') checkCsrf(request, env.consoleUrl);
  const actor = await readActor({ db, env, cookie: request.headers.get('cookie') });
  if (actor === null) throw new ServerError('not_signed_in', { publicMessage: 'Sign in first.' });
  return actor;
}

async function tokenOf({ installation: { db, env }, nowMs }: Asked, text: string): Promise<Actor> {
  const actor = await readTokenActor({ db, adminGroup: env.adminGroup, text, nowMs });
  if (actor !== null) return actor;
  throw new ServerError('not_signed_in', {
    publicMessage: 'This is no token of this console. Tokens are made in Settings, on the tab Tokens.',
  });
}

function checkScope({ token }: Actor, route: PlacedRoute | null): void {
  if (token === undefined) return;
  const scope = route?.scope ?? null;
  if (scope === null) {
    throw new ServerError('not_permitted', { publicMessage: 'This takes a person who is signed in, never a token.' });
  }
  if (scope === 'any' || token.scopes.includes(scope)) return;
  throw new ServerError('not_permitted', {
    publicMessage: `The token ${token.name} lacks the scope ${scope}. Make one that has it in Settings, on the tab Tokens.`,
  });
}

/** The bearer of the Authorization header; with one, no cookie counts. */
function bearerOf(request: Request): string | null {
  const header = request.headers.get('authorization');
  return header === null ? null : (/^Bearer ([\x21-\x7e]{1,512})$/i.exec(header)?.[1] ?? '');
}

/** The last hop that a proxy (or Next itself) wrote; those before it are the client's own words. */
function addressOf(request: Request): string {
  return request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? 'unknown';
}

function checkRate(waitMs: number, one: 'person' | 'token' | 'address'): void {
  if (waitMs === 0) return;
  throw new ServerError('too_many_requests', {
    publicMessage: `You sent more requests than the console takes from one ${one}. Try again in ${Math.ceil(waitMs / 1_000)} s.`,
    retryAfterMs: waitMs,
  });
}
