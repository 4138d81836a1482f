import 'server-only';
import { z } from 'zod';
import type { TenantQuotas } from '#gateway/contract/definitions/tenant.ts';
import { appendAudit } from '#server/audit/append.ts';
import { hasAnyRole, isMember } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import type { Possible } from '#server/contract/changes.ts';
import type { Published } from '#server/contract/definitions.ts';
import { LowerQuota } from '#server/contract/narrowing.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { foreseeNarrowing, publishedIn, refuseUnless } from '#server/publication/narrow.ts';
import { publishNarrowing } from '#server/publication/publish-narrowing.ts';
import { lockPublishing } from '#server/publication/publish-release.ts';
import { readStartingPoint } from '#server/publication/starting-point.ts';

export const LowerQuotaInput = LowerQuota.extend({ tenant: z.string().min(1).max(48) });
type Input = z.infer<typeof LowerQuotaInput>;

/**
 * POST /api/tenants/{tenant}/lower-quota: a narrowing act; it bites at once. Members of the owner team, operators and admins
 * (`not_permitted`). A limit above the published one is `invalid_input`, naming the field; nothing lower is `wrong_state`.
 */
export function lowerQuota(ctx: Ctx, input: Input): Promise<z.infer<typeof Published>> {
  return withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    const from = await readStartingPoint(tx, ctx.nowMs);
    const { name, document } = publishedIn(from, 'tenant', input.tenant);
    const right = mayLowerQuota(ctx, document.ownerTeam);
    if (!right.may) throw new ServerError('not_permitted', { publicMessage: right.why });
    const quotas = lowered(document.quotas, input.quotas);
    const edit = { kind: 'tenant' as const, name, document: { ...document, quotas } };
    refuseUnless(foreseeNarrowing(from, { edit, right }).possible, right);
    const href = `/tenants/${name}`;
    const release = await publishNarrowing(tx, ctx, {
      edits: [edit],
      what: `lowered the quota of ${name}`,
      reason: input.reason,
      href,
      subject: `tenant:${name}`,
      followUp: 'operator',
    });
    await appendAudit(tx, ctx, {
      did: 'lowered',
      what: `the quota of ${name}`,
      href,
      because: input.reason,
      outcome: 'emergency',
      tenant: name,
      release,
      kind: 'tenant',
      name,
      before: document.quotas,
      after: quotas,
    });
    return { release };
  });
}

/** Whether whoever asks may lower a quota of that team's tenant. */
export function mayLowerQuota({ actor }: Pick<Ctx, 'actor'>, team: string): Possible {
  if (isMember(actor, team) || hasAnyRole(actor, 'operator', 'admin')) return { may: true, why: '' };
  return { may: false, why: `Team ${team}, operators and admins lower its quota.` };
}

function lowered(published: TenantQuotas, asked: Input['quotas']): TenantQuotas {
  const quotas = { ...published };
  const fields: Record<string, string> = {};
  for (const [key, limit] of Object.entries(asked) as [keyof TenantQuotas, number | undefined][]) {
    if (limit === undefined) continue;
    if (limit > published[key])
      fields[`quotas.${key}`] = `Above the published ${published[key]}; raise it in a change.`;
    quotas[key] = limit;
  }
  const [first] = Object.values(fields);
  if (first !== undefined) throw new ServerError('invalid_input', { publicMessage: first, fields });
  if (JSON.stringify(quotas) === JSON.stringify(published)) {
    throw new ServerError('wrong_state', { publicMessage: 'No limit is lower than the published one.' });
  }
  return quotas;
}
