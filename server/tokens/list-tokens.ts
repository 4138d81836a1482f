import 'server-only';
import { hasAnyRole } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import { Scope } from '#server/contract/scopes.ts';
import type { TokenRow, Tokens } from '#server/contract/tokens.ts';
import type { Reader } from '#server/db/client.ts';

const MAX_TOKENS = 500;

/** GET /api/tokens: one's own and those of one's teams' CI, an admin all of them; newest first, never a secret. */
export async function listTokens(ctx: Ctx): Promise<Tokens> {
  const { db, actor } = ctx;
  const isAdmin = hasAnyRole(actor, 'admin');
  const mine = { OR: [{ team: null, createdById: actor.id }, { team: { in: [...actor.teams] } }] };
  const [rows, teams] = await Promise.all([
    db.apiToken.findMany({
      where: isAdmin ? {} : mine,
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
      take: MAX_TOKENS,
    }),
    isAdmin ? db.team.findMany({ select: { name: true }, orderBy: { name: 'asc' } }) : [],
  ]);
  return { tokens: rows.map(tokenRow), teams: teams.map(({ name }) => name) };
}

/** A stored token as pages take it. */
export function tokenRow(row: Awaited<ReturnType<Reader['apiToken']['findMany']>>[number]): TokenRow {
  return {
    id: row.id,
    name: row.name,
    team: row.team,
    scopes: row.scopes.map((scope) => Scope.parse(scope)),
    createdAtMs: row.createdAt.getTime(),
    createdBy: { id: row.createdById, name: row.createdByName },
    expiresAtMs: row.expiresAt.getTime(),
    revokedAtMs: row.revokedAt?.getTime() ?? null,
    revokedBy: row.revokedById === null ? null : { id: row.revokedById, name: row.revokedByName ?? '' },
    revokeReason: row.revokeReason,
    lastUsedMs: row.lastUsedAt?.getTime() ?? null,
  };
}
