import 'server-only';
import { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { type Ctx, personOf } from '#server/context.ts';
import { type Published, RevokeKey } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { publishNarrowing } from '#server/publication/publish-narrowing.ts';
import { lockPublishing } from '#server/publication/publish-release.ts';
import { canRevokeKeys, type OwnedPrincipal, readPrincipal, whyNot } from './key-rights.ts';
import type { KeyRow } from './list-keys.ts';

export const RevokeKeyInput = RevokeKey.extend({ id: z.string().min(1).max(40) });
type Input = z.infer<typeof RevokeKeyInput>;

/**
 * POST /api/keys/{id}/revoke: a narrowing act. It needs no review, publishes a release without the key at once, reads
 * *Emergency*, and leaves a follow-up review in the inbox of security. Members of the owner team, security, operators and
 * admins (`not_permitted`). Revoking twice answers the newest release and changes nothing.
 */
export function revokeKey(ctx: Ctx, input: Input): Promise<z.infer<typeof Published>> {
  return withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    const key = await tx.principalKey.findUnique({ where: { id: input.id } });
    if (key === null) throw new ServerError('not_found', { publicMessage: `There is no key hk_${input.id}.` });
    const principal = await readPrincipal(tx, key.principal);
    if (!canRevokeKeys(ctx.actor, principal)) {
      throw new ServerError('not_permitted', { publicMessage: whyNot(ctx.actor, principal) });
    }
    if (key.revokedAt !== null) return { release: await newestRelease(tx) };
    return { release: await revoke(tx, ctx, { key, principal, reason: input.reason }) };
  });
}

async function revoke(
  tx: Tx,
  ctx: Ctx,
  act: { readonly key: KeyRow; readonly principal: OwnedPrincipal; readonly reason: string },
): Promise<number> {
  const { key, principal, reason } = act;
  const actor = personOf(ctx.actor);
  await tx.principalKey.update({
    where: { id: key.id },
    data: {
      revokedAt: new Date(ctx.nowMs),
      revokedById: actor.id,
      revokedByName: actor.name,
      revokeReason: reason,
    },
  });
  const what = `key hk_${key.id} (${key.label}) of ${principal.name}`;
  const number = await publishNarrowing(tx, ctx, {
    edits: [],
    what: `revoked ${what}`,
    reason,
    href: `/principals/${principal.name}`,
    subject: `key:${key.id}`,
    followUp: 'security',
  });
  await appendAudit(tx, ctx, {
    did: 'revoked',
    what,
    href: `/principals/${principal.name}`,
    because: reason,
    outcome: 'emergency',
    tenant: principal.document.tenant,
    release: number,
    kind: 'principal',
    name: principal.name,
    before: { key: key.id, live: true },
    after: { key: key.id, live: false },
  });
  return number;
}

async function newestRelease(tx: Tx): Promise<number> {
  const release = await tx.release.findFirst({ orderBy: { number: 'desc' }, select: { number: true } });
  return release?.number ?? 0;
}
