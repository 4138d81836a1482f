import 'server-only';
import type { z } from 'zod';
import { SILENT_AFTER_MS } from '#gateway/contract/machine-api.ts';
import { canSeeAllTraffic, canSeeTraffic, hasAnyRole } from '#server/auth/rights.ts';
import type { Actor, Ctx } from '#server/context.ts';
import {
  BACKGROUND_LISTS,
  type BackgroundEntry,
  type BackgroundList,
  type BackgroundPage,
  type BackgroundQuery,
  BackgroundEntry as Entry,
} from '#server/contract/background.ts';
import type { BackgroundEntryRow, BackgroundEntryWhere } from '#server/db/rows.ts';
import { pageOf, readCursor, type TimeCursor } from '#server/db/time-cursor.ts';

/** Counting stops here; the page then says *more than 10,000*. */
const COUNTED = 10_000;

export const WHERE: Readonly<Record<BackgroundList, BackgroundEntryWhere>> = {
  waiting: { kind: { notIn: ['sweep', 'drift'] }, parkedAt: null },
  parked: { kind: { not: 'drift' }, parkedAt: { not: null } },
  sweeps: { kind: 'sweep', parkedAt: null },
  drift: { kind: 'drift' },
};

/** Another try costs the store work and may meet what parked the entry: it is for those who run the installation. */
export function canTryAgain(actor: Pick<Actor, 'roles' | 'teams'>): boolean {
  return hasAnyRole(actor, 'operator', 'admin');
}

/**
 * GET /api/background: what gateways left behind and have not finished, newest first, of the tenants whose traffic the
 * asker may see; and how far each range of the change feed is. `invalid_input` for a foreign cursor.
 */
export async function listBackground(ctx: Ctx, query: z.infer<typeof BackgroundQuery>): Promise<BackgroundPage> {
  const cursor = readCursor(query.cursor);
  const mine = await visibleTo(ctx);
  const where: BackgroundEntryWhere = { AND: [mine, WHERE[query.list]] };
  const direction = cursor?.way === 'newer' ? 'asc' : 'desc';
  const rows = await ctx.db.backgroundEntry.findMany({
    where: cursor === null ? where : { AND: [where, beyond(cursor)] },
    orderBy: [{ at: direction }, { id: direction }],
    take: query.limit + 1,
  });
  const count = (one: BackgroundList) =>
    ctx.db.backgroundEntry.count({ where: { AND: [mine, WHERE[one]] }, take: COUNTED + 1 });
  const [waiting = 0, parked = 0, sweeps = 0, drift = 0] = await Promise.all(BACKGROUND_LISTS.map(count));
  const counts = { waiting, parked, sweeps, drift };
  return {
    ...pageOf(rows.map(entryOf), cursor, query.limit),
    total: counts[query.list] > COUNTED ? null : counts[query.list],
    counts,
    ranges: await readRanges(ctx),
    canAct: canTryAgain(ctx.actor),
  };
}

async function visibleTo(ctx: Ctx): Promise<BackgroundEntryWhere> {
  if (canSeeAllTraffic(ctx.actor)) return {};
  const where = { kind: 'tenant', removed: false };
  const tenants = await ctx.db.definition.findMany({ where, select: { name: true, ownerTeam: true } });
  const names = tenants.filter(({ ownerTeam }) => canSeeTraffic(ctx.actor, ownerTeam)).map(({ name }) => name);
  return { tenant: { in: names } };
}

function beyond({ way, atMs, id }: TimeCursor): BackgroundEntryWhere {
  const at = new Date(atMs);
  return way === 'older'
    ? { OR: [{ at: { lt: at } }, { at, id: { lt: id } }] }
    : { OR: [{ at: { gt: at } }, { at, id: { gt: id } }] };
}

export function entryOf(row: BackgroundEntryRow): BackgroundEntry {
  const { edgeType, inverse, toId, reasonCode, reason, drift, ...rest } = row;
  const isEdge = edgeType !== null && inverse !== null && toId !== null;
  return Entry.parse({
    ...rest,
    ...(drift === null ? {} : { drift }),
    edge: isEdge ? { edgeType, inverse, to: toId } : null,
    atMs: row.at.getTime(),
    nextAtMs: row.nextAt.getTime(),
    reason: reasonCode === null ? null : { code: reasonCode, message: reason ?? '' },
    parkedAtMs: row.parkedAt?.getTime() ?? null,
    isAsked: row.againAt !== null,
  });
}

async function readRanges({ db, nowMs }: Ctx): Promise<BackgroundPage['ranges']> {
  const rows = await db.backgroundRange.findMany({ orderBy: { range: 'asc' } });
  return rows.map(({ range, gateway, lagMs, repaired, problem, reportedAt }) => ({
    ...{ range, gateway, repaired, problem },
    lagMs: lagMs === null ? null : Number(lagMs),
    reportedAtMs: reportedAt.getTime(),
    isSilent: nowMs - reportedAt.getTime() > SILENT_AFTER_MS,
  }));
}
