import 'server-only';
import type { z } from 'zod';
import { canSeeAllTraffic } from '#server/auth/rights.ts';
import { refusedTypeOf } from '#server/compile/denied-by.ts';
import type { Ctx } from '#server/context.ts';
import { type Denial, REFUSALS_KEPT_DAYS, type ReleaseDenials } from '#server/contract/denials.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';
import { readHistory } from './definition-history.ts';
import { type Denied, judgeRefusals } from './judge-refusals.ts';
import { ReleasePath } from './read-release.ts';
import {
  countHiddenTenants,
  type RefusalSum,
  readRefusedCalls,
  type SeenTenants,
  sumRefusals,
} from './refused-calls.ts';
import { readServedBefore } from './served-before.ts';

export const DenialsInput = ReleasePath;

/** Kinds of refused call that are decided anew, and of denial that are told. */
const MAX_JUDGED = 2_000;
const MAX_TOLD = 200;

/**
 * GET /api/releases/{number}/denials: who is refused because of this release, which is whoever it refuses and the release
 * before let in. Of tenants whose traffic the asker may see. A revoked key names nobody and is not in it; neither are
 * quotas. Refuses with `not_found`.
 */
export async function readDenials(ctx: Ctx, { number }: z.infer<typeof DenialsInput>): Promise<ReleaseDenials> {
  const { db } = ctx;
  const releases = await db.release.findMany({
    where: { OR: [{ number }, { number: await newestNumber(db) }] },
    select: { number: true, sha256: true, createdAt: true },
    orderBy: { number: 'asc' },
  });
  const [release, newest = release] = releases;
  if (release?.number !== number || newest === undefined) {
    throw new ServerError('not_found', { publicMessage: `There is no release r${number}.` });
  }
  const base = await readServedBefore(db, number);
  if (base === null) return { ...NONE, base, through: newest.number };
  const seen = await seenTenants(ctx);
  const refused = await readRefusedCalls(db, { release: number, seen, most: MAX_JUDGED + 1 });
  const calls = refused.slice(0, MAX_JUDGED);
  const history = await readHistory(db, { calls, from: base });
  const judged = judgeRefusals({ ...release, base, newest: newest.number }, calls, history);
  const ending = judged.denied.map(({ call, until }) => ({ ...call, until: until ?? judged.through + 1 }));
  const sums = await sumRefusals(db, number, ending);
  const { catalog } = history.at(number);
  const actorKindOf = (name: string) => catalog.principal.get(name)?.document.actorKind ?? null;
  const denials = fold(judged.denied, sums).map((one) => ({ ...one, actorKind: actorKindOf(one.principal) }));
  return {
    base,
    through: judged.through,
    denials: denials.slice(0, MAX_TOLD),
    total: {
      denials: denials.length,
      principals: new Set(denials.map(({ principal }) => principal)).size,
      requests: denials.reduce((sum, { requests }) => sum + requests, 0),
    },
    refusedBefore: judged.refusedBefore,
    isWhole: refused.length <= MAX_JUDGED,
    isForgotten: ctx.nowMs - release.createdAt.getTime() > REFUSALS_KEPT_DAYS * 86_400_000,
    hiddenTenants: await countHiddenTenants(db, number, seen),
  };
}

const NONE: Omit<ReleaseDenials, 'base' | 'through'> = {
  denials: [],
  total: { denials: 0, principals: 0, requests: 0 },
  refusedBefore: 0,
  isWhole: true,
  isForgotten: false,
  hiddenTenants: 0,
};

async function newestNumber(db: Reader): Promise<number> {
  return (await db.release.aggregate({ _max: { number: true } }))._max.number ?? 0;
}

async function seenTenants({ db, actor }: Ctx): Promise<SeenTenants> {
  if (canSeeAllTraffic(actor)) return 'all';
  const rows = await db.definition.findMany({
    where: { kind: 'tenant', ownerTeam: { in: [...actor.teams] } },
    select: { name: true },
  });
  return rows.map(({ name }) => name);
}

type Told = Omit<Denial, 'actorKind'>;

/** One row for all operations of a principal on a type that are refused in the same way, most requests first. */
function fold(denied: readonly Denied[], sums: readonly (RefusalSum | null)[]): readonly Told[] {
  const told = new Map<string, Told>();
  for (const [at, { call, permittedBy, until }] of denied.entries()) {
    const sum = sums[at];
    if (sum === null || sum === undefined) continue;
    const { principal, tenant, code, policy, operation } = call;
    const type = refusedTypeOf(call);
    const key = JSON.stringify([principal, tenant, type, code, policy, until]);
    const kind = call.edgeType === null ? ('objectType' as const) : ('edgeType' as const);
    const one = { principal, tenant, type, kind, code, policy, until, ...sum };
    told.set(key, joined(told.get(key), { ...one, operations: [operation], permittedBy: [...permittedBy] }));
  }
  return [...told.values()].toSorted((a, b) => b.requests - a.requests || b.lastMs - a.lastMs);
}

function joined(known: Told | undefined, more: Told): Told {
  if (known === undefined) return more;
  return {
    ...more,
    operations: [...new Set([...known.operations, ...more.operations])].toSorted(),
    permittedBy: [...new Set([...known.permittedBy, ...more.permittedBy])].toSorted(),
    requests: known.requests + more.requests,
    firstMs: Math.min(known.firstMs, more.firstMs),
    lastMs: Math.max(known.lastMs, more.lastMs),
    requestId: known.lastMs > more.lastMs ? known.requestId : more.requestId,
  };
}
