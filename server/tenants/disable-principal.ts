import 'server-only';
import { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { hasAnyRole, isMember } from '#server/auth/rights.ts';
import type { Ctx } from '#server/context.ts';
import type { Possible } from '#server/contract/changes.ts';
import type { Published } from '#server/contract/definitions.ts';
import { Narrow, type NarrowingPreview } from '#server/contract/narrowing.ts';
import { withTransaction } from '#server/db/client.ts';
import { cutsOf } from '#server/publication/cuts.ts';
import { readEndedRollout } from '#server/publication/ended-rollout.ts';
import { foreseeNarrowing, publishedIn, refuseUnless } from '#server/publication/narrow.ts';
import { publishNarrowing } from '#server/publication/publish-narrowing.ts';
import { lockPublishing } from '#server/publication/publish-release.ts';
import { readStartingPoint, type StartingPoint } from '#server/publication/starting-point.ts';
import { canSeeKeys, readPrincipal } from './key-rights.ts';

export const PrincipalActPath = z.object({ name: z.string().min(1).max(64) });
export const DisablePrincipalInput = Narrow.extend(PrincipalActPath.shape);

/** GET /api/principals/{name}/disable: what it would cut off. Readable by everybody signed in, traffic to who may see it. */
export async function previewDisable(ctx: Ctx, { name }: z.infer<typeof PrincipalActPath>): Promise<NarrowingPreview> {
  const principal = await readPrincipal(ctx.db, name);
  const from = await readStartingPoint(ctx.db, ctx.nowMs);
  const seen = foresee(ctx, from, name);
  const about = { principals: [name], tenant: null, nowMs: ctx.nowMs };
  const cuts = canSeeKeys(ctx.actor, principal) ? await cutsOf(ctx.db, about) : [];
  return {
    possible: seen.possible,
    effects: seen.effects,
    cuts: [...cuts],
    ends: await readEndedRollout(ctx.db, from),
  };
}

/**
 * POST /api/principals/{name}/disable: a narrowing act. All its keys are refused as `unauthenticated` from the next release
 * on. Members of the owner team, security, operators and admins (`not_permitted`); twice answers the newest release.
 */
export function disablePrincipal(
  ctx: Ctx,
  { name, reason }: z.infer<typeof DisablePrincipalInput>,
): Promise<z.infer<typeof Published>> {
  return withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    const seen = foresee(ctx, await readStartingPoint(tx, ctx.nowMs), name);
    if (seen.right.may && seen.before.disabled) {
      const newest = await tx.release.findFirst({ orderBy: { number: 'desc' }, select: { number: true } });
      return { release: newest?.number ?? 0 };
    }
    refuseUnless(seen.possible, seen.right);
    const href = `/principals/${name}`;
    const release = await publishNarrowing(tx, ctx, {
      edits: [seen.edit],
      what: `disabled ${name}`,
      reason,
      href,
      subject: `principal:${name}`,
      followUp: 'security',
    });
    await appendAudit(tx, ctx, {
      did: 'disabled',
      what: `principal ${name}`,
      href,
      because: reason,
      outcome: 'emergency',
      tenant: seen.before.tenant,
      release,
      kind: 'principal',
      name,
      before: seen.before,
      after: seen.edit.document,
    });
    return { release };
  });
}

function foresee(ctx: Ctx, from: StartingPoint, name: string) {
  const { document } = publishedIn(from, 'principal', name);
  const edit = { kind: 'principal' as const, name, document: { ...document, disabled: true } };
  const right = rightOf(ctx, document.ownerTeam);
  const seen = foreseeNarrowing(from, { edit, right });
  const isOff = document.disabled && right.may;
  return {
    ...seen,
    possible: isOff ? { may: false, why: `${name} is disabled already.` } : seen.possible,
    edit,
    right,
    before: document,
  };
}

function rightOf({ actor }: Ctx, team: string): Possible {
  if (isMember(actor, team) || hasAnyRole(actor, 'security', 'operator', 'admin')) return { may: true, why: '' };
  return { may: false, why: `Team ${team}, security, operators and admins disable it.` };
}
