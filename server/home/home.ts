import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { Home } from '#server/contract/shell.ts';
import { firstSteps } from './first-steps.ts';
import { troubledGateways } from './gateway-troubles.ts';
import { inboxWith } from './inbox.ts';
import { latencyTroubles } from './latency-troubles.ts';
import type { ChangesFor, RecentLatency } from './ports.ts';
import { haltedRollouts } from './rollout-troubles.ts';

const MAX_NEEDS = 8;
const MAX_LATELY = 8;

/**
 * GET /api/home: what needs the person (oldest first, since it has waited longest), what is unusual now, what was
 * published lately, and the first steps with what was observed of each.
 */
export function homeWith(ports: { readonly changesFor: ChangesFor; readonly recentLatency: RecentLatency }) {
  const inbox = inboxWith(ports.changesFor);
  return async (ctx: Ctx): Promise<Home> => {
    const { items } = await inbox(ctx);
    const gateways = await troubledGateways(ctx.db, ctx.nowMs);
    const latency = latencyTroubles(await ports.recentLatency(ctx));
    return {
      needsYou: items
        // What is wrong with gateways is said under *Right now*, for everybody.
        .filter(({ kind }) => kind !== 'gateway')
        .toSorted((a, b) => a.atMs - b.atMs)
        .slice(0, MAX_NEEDS)
        .map(({ text, href, atMs }) => ({ text, href, sinceMs: atMs })),
      rightNow: [...(await haltedRollouts(ctx.db)), ...gateways, ...latency].map(
        ({ text, href, severity, sinceMs }) => ({
          text,
          href,
          severity,
          sinceMs,
        }),
      ),
      lately: await lately(ctx),
      firstSteps: await firstSteps(ctx),
    };
  };
}

async function lately(ctx: Ctx): Promise<Home['lately']> {
  const releases = await ctx.db.release.findMany({
    orderBy: [{ epoch: 'desc' }, { number: 'desc' }],
    take: MAX_LATELY,
    select: {
      number: true,
      cause: true,
      byId: true,
      byName: true,
      approvedById: true,
      approvedByName: true,
      selfApproved: true,
      createdAt: true,
    },
  });
  return releases.map((release) => {
    const { number, cause, createdAt } = release;
    return {
      text: `r${number} · ${cause} · ${publisherWords(release)}`,
      href: `/releases/${number}`,
      atMs: createdAt.getTime(),
    };
  });
}

/** *Ana Ruiz, approved by Bo Lind*, or *Bo Lind, who approved it* where the approving act published. */
function publisherWords(release: {
  readonly byId: string;
  readonly byName: string;
  readonly approvedById: string | null;
  readonly approvedByName: string | null;
  readonly selfApproved: boolean;
}): string {
  const { byId, byName, approvedById, approvedByName, selfApproved } = release;
  if (selfApproved) return `${byName}, self-approved`;
  if (approvedByName === null) return byName;
  return approvedById === byId ? `${byName}, who approved it` : `${byName}, approved by ${approvedByName}`;
}
