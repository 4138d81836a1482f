import 'server-only';
import { createHash } from 'node:crypto';
import { ServerError } from '#server/contract/server-error.ts';
import type { Database } from '#server/db/client.ts';

/** A token's last use is written at most this often. */
const LAST_USE_EVERY_MS = 60_000;

/**
 * Refuses (`not_signed_in`) unless the header carries a gateway's live token. Only its SHA-256 is looked up: the secret
 * has 256 random bits, so the time of an index look-up on its hash tells nothing about it.
 */
export async function authenticateGateway(db: Database, authorization: string | null, nowMs: number): Promise<void> {
  const secret = /^Bearer ([\x21-\x7e]{16,512})$/i.exec(authorization ?? '')?.[1];
  if (secret === undefined) throw refusal();
  const secretSha256 = createHash('sha256').update(secret).digest('hex');
  const token = await db.machineToken.findUnique({ where: { secretSha256 } });
  if (token === null || token.scope !== 'gateway' || token.revokedAt !== null) throw refusal();
  if (token.expiresAt !== null && token.expiresAt.getTime() <= nowMs) throw refusal();
  if (token.lastUsedAt === null || nowMs - token.lastUsedAt.getTime() >= LAST_USE_EVERY_MS) {
    await db.machineToken.update({ where: { id: token.id }, data: { lastUsedAt: new Date(nowMs) } });
  }
}

function refusal(): ServerError {
  return new ServerError('not_signed_in', { publicMessage: 'The machine API takes a live gateway token as a bearer.' });
}
