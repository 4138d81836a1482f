import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { type Ctx, personOf } from '#server/context.ts';
import { type CreatedKey, CreateKey } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { readOpenRollout } from '#server/db/rollout.ts';
import { refuseFrozen } from '#server/publication/freeze.ts';
import { lockPublishing, publishRelease } from '#server/publication/publish-release.ts';
import { enqueue } from '#server/publication/queue.ts';
import { rolloutWords } from '#server/publication/rollout-words.ts';
import { canCreateKeys, readPrincipal, whyNot } from './key-rights.ts';
import { keyOf, PrincipalPath } from './list-keys.ts';
import { newKey } from './new-key.ts';

export const CreateKeyInput = CreateKey.extend(PrincipalPath.shape);

const DAY_MS = 86_400_000;

/**
 * POST /api/principals/{name}/keys: makes a key and publishes a release that carries its hash. It can do only what
 * published grants allow, so nobody reviews it. The reply is the only place where the secret ever is. Engineers of the
 * owner team (`not_permitted`); `wrong_state` for a disabled principal, `publishing_frozen`. While a release goes out in
 * stages the key waits for it.
 */
export function createKey(ctx: Ctx, input: z.infer<typeof CreateKeyInput>): Promise<z.infer<typeof CreatedKey>> {
  const made = newKey();
  return withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    const principal = await readPrincipal(tx, input.name);
    if (!canCreateKeys(ctx.actor, principal)) {
      throw new ServerError('not_permitted', { publicMessage: whyNot(ctx.actor, principal) });
    }
    if (principal.document.disabled) {
      throw new ServerError('wrong_state', { publicMessage: `${input.name} is disabled, so a key would be refused.` });
    }
    const row = await tx.principalKey.create({
      data: {
        id: made.id,
        principal: input.name,
        label: input.label,
        secretSha256: made.secretSha256,
        createdAt: new Date(ctx.nowMs),
        createdById: ctx.actor.id,
        createdByName: ctx.actor.name,
        expiresAt: input.expiresInDays === null ? null : new Date(ctx.nowMs + input.expiresInDays * DAY_MS),
      },
    });
    const what = `key hk_${made.id} (${input.label}) of ${input.name}`;
    const published = await publishKey(tx, ctx, `New ${what}`);
    await appendAudit(tx, ctx, {
      did: 'made',
      what,
      href: `/principals/${input.name}`,
      tenant: principal.document.tenant,
      ...(published.release === null ? {} : { release: published.release }),
      kind: 'principal',
      name: input.name,
      after: { key: made.id, label: input.label, expiresAtMs: row.expiresAt?.getTime() ?? null },
    });
    return { key: keyOf(row, null), secret: made.key, ...published };
  });
}

/** Publishes a release that carries the key, or puts that behind the rollout that is open. */
async function publishKey(
  tx: Tx,
  ctx: Ctx,
  cause: string,
): Promise<Pick<z.infer<typeof CreatedKey>, 'release' | 'waitsFor'>> {
  await refuseFrozen(tx);
  const by = personOf(ctx.actor);
  const rollout = await readOpenRollout(tx);
  if (rollout !== null) {
    await enqueue(tx, { change: null, contentHash: null, cause, by, atMs: ctx.nowMs });
    return { release: null, waitsFor: `It works once ${rolloutWords(rollout)}, is done.` };
  }
  const { number } = await publishRelease(tx, ctx, {
    edits: [],
    cause,
    reason: '',
    by,
    author: by,
    approvedBy: null,
    selfApproved: false,
    changeNumber: null,
    emergency: false,
  });
  return { release: number, waitsFor: null };
}
