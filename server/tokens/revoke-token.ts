import 'server-only';
import { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { hasAnyRole, isEngineerOf } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { RevokeToken } from '#server/contract/tokens.ts';
import { withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';

export const RevokeTokenInput = RevokeToken.extend({ id: z.string().min(1).max(100) });

/**
 * POST /api/tokens/{id}/revoke: the token is refused from its next request on; its row stays, so that the log can name it.
 * Its maker, engineers of the team whose CI it is, security and admins may (`not_found` to others). Twice changes nothing.
 */
export function revokeToken(ctx: Ctx, input: z.infer<typeof RevokeTokenInput>): Promise<object> {
  const { actor, nowMs } = ctx;
  return withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`SELECT id FROM api_token WHERE id = ${input.id} FOR UPDATE`;
    const token = await tx.apiToken.findUnique({ where: { id: input.id } });
    const isTheirs = token?.createdById === actor.id || (token?.team != null && isEngineerOf(actor, token.team));
    const may = isTheirs || hasAnyRole(actor, 'admin', 'security');
    // To others a token of somebody else does not even exist.
    if (token === null || !may) throw new ServerError('not_found', { publicMessage: 'You have no such token.' });
    if (token.revokedAt !== null) return {};
    await tx.apiToken.update({
      where: { id: token.id },
      data: {
        revokedAt: new Date(nowMs),
        revokedById: actor.id,
        revokedByName: actor.name,
        revokeReason: input.reason,
      },
    });
    await appendAudit(tx, ctx, {
      did: 'revoked',
      what: `the token ${token.name} (hbt_${token.id}…) of ${token.team === null ? token.createdByName : `the CI of ${token.team}`}`,
      href: '/settings?tab=tokens',
      because: input.reason,
    });
    await notify(tx, 'settings');
    return {};
  });
}
