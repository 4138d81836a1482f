import 'server-only';
import type { BackgroundReply, BackgroundReport, RangeReport, WaitingEntry } from '#gateway/contract/background.ts';
import { appendGatewayAct } from '#server/audit/append-gateway-act.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import type { BackgroundEntryWhere } from '#server/db/rows.ts';
import type { MachineCtx } from './handle-machine.ts';

/** Asked-for tries that one reply takes. */
const MOST_AGAIN = 500;

/**
 * POST /api/gateway/background: keeps what a gateway tells of the ranges that it holds, and answers which entries somebody
 * asked to try again. What an earlier holder of a range says late is ignored. Repeating a report changes nothing.
 */
export function takeBackground(ctx: MachineCtx, { ranges }: BackgroundReport): Promise<BackgroundReply> {
  return withTransaction(ctx.db, async (tx) => {
    const again: BackgroundReply['again'] = [];
    for (const report of ranges) {
      if (!(await noteRange(tx, ctx, report))) continue;
      await noteEntries(tx, ctx, report);
      await noteStored(tx, report);
      again.push(...(await takeAsked(tx, report.range)));
    }
    return { again };
  });
}

/** False when the range has a later holder. */
async function noteRange(tx: Tx, ctx: MachineCtx, report: RangeReport): Promise<boolean> {
  const { range, term, lagMs, repaired, problem } = report;
  const changed = await tx.$executeRaw`
    INSERT INTO background_range (range, gateway, term, lag_ms, repaired, problem, reported_at)
    VALUES (${range}, ${ctx.gateway}, ${term}, ${lagMs}, ${repaired}, ${problem}, ${new Date(ctx.nowMs)})
    ON CONFLICT (range) DO UPDATE SET gateway = excluded.gateway, term = excluded.term, lag_ms = excluded.lag_ms,
      repaired = excluded.repaired, problem = excluded.problem, reported_at = excluded.reported_at
    WHERE background_range.term <= excluded.term`;
  return changed > 0;
}

async function noteEntries(tx: Tx, ctx: MachineCtx, report: RangeReport): Promise<void> {
  const { range, term, waiting, ended, isWhole } = report;
  if (waiting.length > 0) await keepWaiting(tx, { range, term, rows: JSON.stringify(waiting.map(rowOf)) });
  if (ended.length > 0) {
    const where = { range, id: { in: ended.map(({ id }) => id) } };
    await noteSwept(tx, ctx, where);
    await tx.backgroundEntry.deleteMany({ where });
  }
  // What this term has not named is over.
  if (isWhole) await tx.backgroundEntry.deleteMany({ where: { range, term: { lt: term } } });
}

/**
 * The row of the delete itself was written before its edges were swept, so how many went with the object is told when the
 * sweep ends: at least as many as the last report before said.
 */
async function noteSwept(
  tx: Tx,
  { gateway, requestId, nowMs }: MachineCtx,
  where: BackgroundEntryWhere,
): Promise<void> {
  const sweeps = await tx.backgroundEntry.findMany({ where: { ...where, kind: 'sweep' } });
  for (const { type, objectId, tenant, items } of sweeps) {
    const what = `the edges of ${type} ${objectId}, ${items} or more`;
    const because = `${type} ${objectId} was deleted`;
    const act = {
      did: 'swept',
      what,
      because,
      tenant,
      release: null,
      outcome: 'done',
      href: '/gateways?tab=background',
    };
    await appendGatewayAct(tx, { gateway, requestId, nowMs }, act);
  }
}

/** In one statement: after an outage there are thousands. An asked-for try stays asked for until the gateway was told. */
function keepWaiting(tx: Tx, { range, term, rows }: { range: string; term: number; rows: string }): Promise<number> {
  return tx.$executeRaw`
    INSERT INTO background_entry (id, pk, range, term, kind, tenant, type, object_id, edge_type, inverse, to_id, items,
      at, failures, next_at, reason_code, reason, parked_at, drift)
    SELECT id, pk, ${range}, ${term}, kind, tenant, type, "objectId", "edgeType", inverse, "toId", items,
      at, failures, "nextAt", "reasonCode", reason, "parkedAt", drift
    FROM jsonb_to_recordset(${rows}::jsonb) AS t(id text, pk text, kind text, tenant text, type text, "objectId" text,
      "edgeType" text, inverse text, "toId" text, items int, at timestamptz, failures int, "nextAt" timestamptz,
      "reasonCode" text, reason text, "parkedAt" timestamptz, drift jsonb)
    ON CONFLICT (id) DO UPDATE SET range = excluded.range, term = excluded.term, items = excluded.items,
      failures = excluded.failures, next_at = excluded.next_at, reason_code = excluded.reason_code,
      reason = excluded.reason, parked_at = excluded.parked_at, drift = excluded.drift`;
}

function rowOf({ ref, summary, failures, nextAtMs, reason, parkedAtMs }: WaitingEntry) {
  const { kind, tenant, type, objectId, edge, items, atMs, drift = null } = summary;
  return {
    ...ref,
    ...{ kind, tenant, type, objectId, items, failures, drift },
    edgeType: edge?.edgeType ?? null,
    inverse: edge?.inverse ?? null,
    toId: edge?.to ?? null,
    at: new Date(atMs),
    nextAt: new Date(nextAtMs),
    reasonCode: reason?.code ?? null,
    reason: reason?.message ?? null,
    parkedAt: parkedAtMs === null ? null : new Date(parkedAtMs),
  };
}

/** A count is absolute, so it takes the place of the one before. */
async function noteStored(tx: Tx, { range, stored }: RangeReport): Promise<void> {
  if (stored === undefined) return;
  await tx.storedSum.deleteMany({ where: { range } });
  await tx.storedSum.createMany({ data: stored.sums.map((sum) => ({ range, ...sum })) });
  await tx.backgroundRange.update({ where: { range }, data: { countedAt: new Date(stored.asOfMs) } });
}

/** Told once: a gateway that dies with what it was told leaves the entry as it was, to be asked for again. */
async function takeAsked(tx: Tx, range: string): Promise<BackgroundReply['again']> {
  const asked = await tx.backgroundEntry.findMany({
    where: { range, againAt: { not: null } },
    orderBy: { againAt: 'asc' },
    take: MOST_AGAIN,
    select: { id: true, pk: true },
  });
  if (asked.length === 0) return [];
  await tx.backgroundEntry.updateMany({ where: { id: { in: asked.map(({ id }) => id) } }, data: { againAt: null } });
  return asked.map(({ id, pk }) => ({ range, ref: { pk, id } }));
}
