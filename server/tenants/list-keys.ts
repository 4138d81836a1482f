import 'server-only';
import { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import type { PrincipalKey, PrincipalKeys } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';
import { readOpenRollout } from '#server/db/rollout.ts';
import { readEndedRollout } from '#server/publication/ended-rollout.ts';
import { canCreateKeys, canRevokeKeys, canSeeKeys, readPrincipal, whyNot } from './key-rights.ts';

/** The principal in the path. */
export const PrincipalPath = z.object({ name: z.string().min(1).max(64) });

/** Newest first; a principal with more has a problem that a list does not solve. */
const MAX_KEYS = 500;

/** GET /api/principals/{name}/keys: names, dates and last use, never a secret. */
export async function listKeys(
  ctx: Ctx,
  { name }: z.infer<typeof PrincipalPath>,
): Promise<z.infer<typeof PrincipalKeys>> {
  const principal = await readPrincipal(ctx.db, name);
  if (!canSeeKeys(ctx.actor, principal)) {
    throw new ServerError('not_permitted', {
      publicMessage: `Keys of ${name} are for team ${principal.document.ownerTeam}, security, operators, auditors and admins.`,
    });
  }
  const rows = await ctx.db.principalKey.findMany({
    where: { principal: name },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_KEYS,
  });
  const lastUse = await readLastUse(
    ctx.db,
    rows.map(({ id }) => id),
  );
  return {
    keys: rows.map((row) => keyOf(row, lastUse.get(row.id) ?? null)),
    mayCreate: canCreateKeys(ctx.actor, principal),
    mayRevoke: canRevokeKeys(ctx.actor, principal),
    why: whyNot(ctx.actor, principal),
    revokeEnds: await readEndedRollout(ctx.db, { rollout: await readOpenRollout(ctx.db) }),
  };
}

export type KeyRow = Awaited<ReturnType<Reader['principalKey']['findMany']>>[number];

/** A stored key as pages take it. */
export function keyOf(row: KeyRow, lastSeen: Date | null): PrincipalKey {
  const lastUsed = Math.max(row.lastUsedAt?.getTime() ?? 0, lastSeen?.getTime() ?? 0);
  return {
    id: row.id,
    label: row.label,
    createdAtMs: row.createdAt.getTime(),
    createdBy: { id: row.createdById, name: row.createdByName },
    expiresAtMs: row.expiresAt?.getTime() ?? null,
    revokedAtMs: row.revokedAt?.getTime() ?? null,
    revokedBy: row.revokedById === null ? null : { id: row.revokedById, name: row.revokedByName ?? '' },
    revokeReason: row.revokeReason,
    lastUsedMs: lastUsed === 0 ? null : lastUsed,
  };
}

/** The newest kept request by key. One that only names the key did not use it. */
async function readLastUse(db: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const groups = await db.requestRecord.groupBy({
    by: ['keyId'],
    where: { keyId: { in: [...ids] }, principal: { not: null } },
    _max: { at: true },
  });
  return new Map(
    groups.flatMap(({ keyId, _max }) => (keyId === null || _max.at === null ? [] : [[keyId, _max.at] as const])),
  );
}
