import 'server-only';
import { timingSafeEqual } from 'node:crypto';
import { ciActor } from '#server/auth/ci-actor.ts';
import { loadActor } from '#server/auth/read-actor.ts';
import { hasAnyRole } from '#server/auth/rights.ts';
import type { Actor } from '#server/context.ts';
import { Scope } from '#server/contract/scopes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Database, Reader } from '#server/db/client.ts';
import { hashOfToken, idOfToken } from './token-text.ts';

/** A token's last use is written at most this often. */
const LAST_USE_EVERY_MS = 60_000;

type StoredToken = Awaited<ReturnType<Reader['apiToken']['findMany']>>[number];

interface Asked {
  readonly db: Database;
  readonly adminGroup: string | undefined;
  readonly text: string;
  readonly nowMs: number;
}

/**
 * Whom a token acts for, with their rights of this moment; null when there is no such live token. Rights are those of the
 * person who made it, or of one engineer of a team when an admin made it for the team's CI: a role taken from either bites
 * at the next request. Refuses with `not_signed_in` and says why when the token is known but revoked or expired.
 */
export async function readTokenActor(asked: Asked): Promise<Actor | null> {
  const token = await findToken(asked);
  if (token === null) return null;
  checkLive(token, asked.nowMs);
  const maker = await loadActor(asked.db, token.createdById, asked.adminGroup);
  if (maker === null) throw refusal(`${token.createdByName}, who made this token, has no account any more.`);
  if (token.team !== null && !hasAnyRole(maker, 'admin')) {
    throw refusal(`${maker.name}, who made this token for team ${token.team}, is no admin any more.`);
  }
  await noteUse(asked, token);
  const { id, name, expiresAt } = token;
  const scopes = token.scopes.map((scope) => Scope.parse(scope));
  const actor = token.team === null ? maker : ciActor(token.team);
  return { ...actor, token: { id, name, scopes, expiresAtMs: expiresAt.getTime() } };
}

async function findToken({ db, text }: Asked): Promise<StoredToken | null> {
  const id = idOfToken(text);
  if (id === null) return null;
  const token = await db.apiToken.findUnique({ where: { id } });
  if (token === null) return null;
  const isSame = timingSafeEqual(Buffer.from(token.secretSha256, 'hex'), Buffer.from(hashOfToken(text), 'hex'));
  return isSame ? token : null;
}

function checkLive(token: StoredToken, nowMs: number): void {
  if (token.revokedAt !== null) throw refusal(`The token ${token.name} was revoked by ${token.revokedByName ?? '?'}.`);
  if (token.expiresAt.getTime() > nowMs) return;
  throw refusal(`The token ${token.name} ended on ${token.expiresAt.toISOString().slice(0, 10)}. Make a new one.`);
}

async function noteUse({ db, nowMs }: Asked, { id, lastUsedAt }: StoredToken): Promise<void> {
  if (lastUsedAt !== null && nowMs - lastUsedAt.getTime() < LAST_USE_EVERY_MS) return;
  await db.apiToken.update({ where: { id }, data: { lastUsedAt: new Date(nowMs) } });
}

function refusal(publicMessage: string): ServerError {
  return new ServerError('not_signed_in', { publicMessage });
}
