import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { type Ctx, personOf } from '#server/context.ts';
import { OverrideFinding } from '#server/contract/changes.ts';
import { type FindingCode, OVERRIDABLE } from '#server/contract/rules.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Tx } from '#server/db/client.ts';
import { actOnChange, require } from './act-on-change.ts';
import { checkStored } from './check-change.ts';
import { settleChecks } from './checks/settle-checks.ts';
import { mayOverride } from './permissions.ts';
import { ChangePath } from './read-change.ts';

export const OverrideFindingInput = OverrideFinding.extend(ChangePath.shape);
type Input = z.infer<typeof OverrideFindingInput>;

/**
 * POST /api/changes/{number}/override: an admin takes a blocking finding on themselves, with a reason that the card, the
 * audit log and every reviewer read. It holds for this content alone. Refuses with `not_permitted`, `conflict` when the
 * content moved on, `invalid_input` for a finding that cannot be overridden, `not_found` for one that is not there.
 */
export async function overrideFinding(ctx: Ctx, input: Input): Promise<object> {
  await settleChecks(ctx, input.number);
  return actOnChange(ctx, input.number, async ({ tx, standing }) => {
    require(mayOverride(standing, ctx.actor));
    const { change } = standing;
    if (change.contentHash !== input.contentHash) {
      throw new ServerError('conflict', { publicMessage: 'It changed since you looked. Read it again first.' });
    }
    if (!OVERRIDABLE.includes(input.code as FindingCode)) {
      throw new ServerError('invalid_input', { publicMessage: `${input.code} cannot be overridden: mend its cause.` });
    }
    const { findings } = await checkStored(tx, change, ctx);
    const isThere = findings.some(
      ({ kind, name, code }) => kind === input.kind && name === input.name && code === input.code,
    );
    if (!isThere) throw new ServerError('not_found', { publicMessage: `${input.name} has no finding ${input.code}.` });
    await write(tx, ctx, input);
    await appendAudit(tx, ctx, {
      did: 'overrode',
      what: `${input.code} of ${input.name} in ∆${input.number} ${change.title}`,
      href: `/changes/${input.number}`,
      because: input.reason,
      kind: input.kind,
      name: input.name,
      before: { findings: findings.filter(({ name, code }) => name === input.name && code === input.code) },
    });
    return {};
  });
}

async function write(tx: Tx, ctx: Ctx, input: Input): Promise<void> {
  const { id, name } = personOf(ctx.actor);
  const key = { changeNumber: input.number, kind: input.kind, name: input.name, code: input.code };
  const fields = {
    contentHash: input.contentHash,
    reason: input.reason,
    at: new Date(ctx.nowMs),
    byId: id,
    byName: name,
  };
  await tx.findingOverride.upsert({
    where: { changeNumber_kind_name_code: key },
    update: fields,
    create: { ...key, ...fields },
  });
}
