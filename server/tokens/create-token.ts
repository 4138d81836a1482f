import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { hasAnyRole } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import { SCOPES } from '#server/contract/scopes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { CreatedToken, CreateToken } from '#server/contract/tokens.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import { tokenRow } from './list-tokens.ts';
import { newToken } from './token-text.ts';

type Input = z.infer<typeof CreateToken>;

const DAY_MS = 86_400_000;
/** Live tokens of one person or one team's CI. */
const MAX_LIVE = 50;

/**
 * POST /api/tokens: a token for oneself, or, by an admin, for a team's CI (`not_permitted`). The secret is in the reply
 * and nowhere else. Refuses with `not_found` for a team that does not exist, `wrong_state` over 50 live ones.
 */
export function createToken(ctx: Ctx, input: Input): Promise<z.infer<typeof CreatedToken>> {
  return withTransaction(ctx.db, async (tx) => {
    await checkTeam(tx, ctx, input.team);
    await checkCount(tx, ctx, input.team);
    const { id, text, secretSha256 } = newToken();
    const row = await tx.apiToken.create({
      data: {
        id,
        name: input.name,
        team: input.team,
        scopes: SCOPES.filter((scope) => input.scopes.includes(scope)),
        secretSha256,
        createdAt: new Date(ctx.nowMs),
        createdById: ctx.actor.id,
        createdByName: ctx.actor.name,
        expiresAt: new Date(ctx.nowMs + input.expiresInDays * DAY_MS),
      },
    });
    const token = tokenRow(row);
    await appendAudit(tx, ctx, {
      did: 'made',
      what: `the token ${input.name} (hbt_${id}…)${input.team === null ? '' : ` for the CI of ${input.team}`}`,
      href: '/settings?tab=tokens',
      after: { scopes: token.scopes, team: token.team, expiresAt: row.expiresAt.toISOString() },
    });
    await notify(tx, 'settings');
    return { token, secret: text };
  });
}

async function checkTeam(tx: Tx, { actor }: Ctx, team: string | null): Promise<void> {
  if (team === null) return;
  if (!hasAnyRole(actor, 'admin')) {
    throw new ServerError('not_permitted', { publicMessage: "An admin makes the tokens of a team's CI." });
  }
  if ((await tx.team.findUnique({ where: { name: team } })) !== null) return;
  throw new ServerError('not_found', { publicMessage: `There is no team ${team}.` });
}

async function checkCount(tx: Tx, { actor, nowMs }: Ctx, team: string | null): Promise<void> {
  const live = { revokedAt: null, expiresAt: { gt: new Date(nowMs) } };
  const whose = team === null ? { team: null, createdById: actor.id } : { team };
  if ((await tx.apiToken.count({ where: { ...live, ...whose } })) < MAX_LIVE) return;
  throw new ServerError('wrong_state', { publicMessage: `There are ${MAX_LIVE} live ones. Revoke one first.` });
}
