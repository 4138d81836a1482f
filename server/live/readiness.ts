import 'server-only';
import { fromDatabaseError } from '#server/db/errors.ts';
import { EnvError } from '#server/env.ts';
import type { Installation } from '#server/http/installation.ts';

/** What the console lacks, in sentences; ready when nothing. */
export interface Readiness {
  readonly ready: boolean;
  readonly missing: readonly string[];
}

/** GET /healthz: the process answers; what it can do is said by /readyz. */
export function liveness(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}

const ANSWER_WITHIN_MS = 2_000;

/**
 * GET /readyz: whether the console can serve: its environment, its signing key, its database and the tables in it.
 * Always answers within about two seconds; 503 with what is missing when it cannot.
 */
export async function readiness(open: () => Promise<Installation>): Promise<Response> {
  const missing = await missingOf(open);
  const body: Readiness = { ready: missing.length === 0, missing };
  return Response.json(body, { status: body.ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } });
}

async function missingOf(open: () => Promise<Installation>): Promise<readonly string[]> {
  let installation: Installation;
  try {
    installation = await open();
  } catch (error) {
    if (error instanceof EnvError) return [error.message];
    return [
      'The signing key cannot be read: HABITAT_SIGNING_KEY_FILE names no private Ed25519 JWK that the console may read.',
    ];
  }
  const answer = await Promise.race([lookAtDatabase(installation), late()]);
  return answer === null ? [] : [answer];
}

async function lookAtDatabase({ db }: Installation): Promise<string | null> {
  try {
    const [found] = await db.$queryRaw<{ release: string | null; audit: string | null }[]>`
      SELECT to_regclass('release')::text AS release, to_regclass('audit_event')::text AS audit`;
    if (found?.release == null || found.audit == null) {
      return 'The database has no tables of Habitat: its migrations were not applied.';
    }
    return null;
  } catch (error) {
    return fromDatabaseError(error)?.publicMessage ?? 'The database answers with an error.';
  }
}

async function late(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ANSWER_WITHIN_MS).unref());
  return 'The database did not answer within 2 s.';
}
