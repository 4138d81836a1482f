import 'server-only';
import { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { canSeeAllTraffic, hasAnyRole, isMember } from '#server/auth/rights.ts';
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

export const PolicyActPath = z.object({ name: z.string().min(1).max(64) });
export const SwitchOffPolicyInput = Narrow.extend(PolicyActPath.shape);

/** GET /api/policies/{name}/switch-off: who would lose what. Readable by everybody signed in. */
export async function previewSwitchOff(ctx: Ctx, { name }: z.infer<typeof PolicyActPath>): Promise<NarrowingPreview> {
  const from = await readStartingPoint(ctx.db, ctx.nowMs);
  const seen = foresee(ctx, from, name);
  const [cuts, ends] = [await cutsSeenBy(ctx, seen.losers), await readEndedRollout(ctx.db, from)];
  return { possible: seen.possible, effects: seen.effects, cuts: [...cuts], ends };
}

/**
 * POST /api/policies/{name}/switch-off: a narrowing act. The grant is gone from the next release on; its text stays in its
 * history, and a change brings it back. One that forbids cannot be switched off so: that widens. Members of the owner team,
 * security and admins (`not_permitted`).
 */
export function switchOffPolicy(
  ctx: Ctx,
  { name, reason }: z.infer<typeof SwitchOffPolicyInput>,
): Promise<z.infer<typeof Published>> {
  return withTransaction(ctx.db, async (tx) => {
    await lockPublishing(tx);
    const seen = foresee(ctx, await readStartingPoint(tx, ctx.nowMs), name);
    refuseUnless(seen.possible, seen.right);
    const release = await publishNarrowing(tx, ctx, {
      edits: [seen.edit],
      what: `switched off policy ${name}`,
      reason,
      href: `/policies/${name}`,
      subject: `policy:${name}`,
      followUp: 'security',
    });
    await appendAudit(tx, ctx, {
      did: 'switched off',
      what: `policy ${name}`,
      href: `/policies/${name}`,
      because: reason,
      outcome: 'emergency',
      release,
      kind: 'policy',
      name,
      before: seen.before,
      after: null,
    });
    return { release };
  });
}

function foresee(ctx: Ctx, from: StartingPoint, name: string) {
  const { document } = publishedIn(from, 'policy', name);
  const edit = { kind: 'policy' as const, name, document: null };
  const right = rightOf(ctx, document.ownerTeam);
  const seen = foreseeNarrowing(from, { edit, right });
  const principals = from.start.filter(({ kind }) => kind === 'principal').map((principal) => principal.name as string);
  // Effects name who loses something; the words of a name decide, as they do for whoever reads them.
  const lost = seen.effects.filter(({ tone }) => tone === 'narrows').map(({ text }) => text);
  const losers = principals.filter((principal) => lost.some((text) => text.split(/[\s(),]+/).includes(principal)));
  return { ...seen, edit, right, before: document, losers };
}

async function cutsSeenBy(ctx: Ctx, losers: readonly string[]): Promise<readonly string[]> {
  if (losers.length === 0 || !canSeeAllTraffic(ctx.actor)) return [];
  return cutsOf(ctx.db, { principals: losers, tenant: null, nowMs: ctx.nowMs });
}

function rightOf({ actor }: Ctx, team: string): Possible {
  if (isMember(actor, team) || hasAnyRole(actor, 'security', 'admin')) return { may: true, why: '' };
  return { may: false, why: `Team ${team}, security and admins switch it off.` };
}
