import 'server-only';
import type { z } from 'zod';
import { type Heartbeat, type HeartbeatReply, SILENT_AFTER_MS } from '#gateway/contract/machine-api.ts';
import { compareReleases, type ReleaseId } from '#gateway/contract/release.ts';
import { isSilent } from '#server/contract/gateway-state.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { readTarget, servedBy } from '#server/db/gateway-standing.ts';
import { noteReport } from '#server/db/note-report.ts';
import { notify } from '#server/db/notify.ts';
import type { GatewayRow } from '#server/db/rows.ts';
import type { MachineCtx } from './handle-machine.ts';
import { type MoveOn, moveOnAfter } from './move-on.ts';
import { noteLive } from './note-live.ts';

/**
 * POST /api/gateway/heartbeat: keeps what a gateway says of itself and that it was there in these ten seconds. `left`
 * takes it out of every count until it comes back. Answers how many gateways share fleet-wide quotas. An open rollout moves
 * on with it.
 */
export function takeHeartbeatWith(moveOn: MoveOn) {
  return async (ctx: MachineCtx, beat: Heartbeat): Promise<z.infer<typeof HeartbeatReply>> => {
    const reply = await takeBeat(ctx, beat);
    await moveOnAfter(ctx, moveOn);
    return reply;
  };
}

function takeBeat(ctx: MachineCtx, beat: Heartbeat): Promise<z.infer<typeof HeartbeatReply>> {
  return withTransaction(ctx.db, async (tx) => {
    const before = await tx.gateway.findUnique({ where: { name: ctx.gateway } });
    const row = rowOf(beat, before, ctx.nowMs);
    await tx.gateway.upsert({ where: { name: ctx.gateway }, create: { name: ctx.gateway, ...row }, update: row });
    await noteReport(tx, ctx.gateway, [ctx.nowMs]);
    if (beat.left) await noteLeaving(tx, ctx.nowMs);
    await notify(tx, 'gateways');
    if (isNews(beat, row, before, ctx.nowMs)) await notify(tx, 'shell', 'releases');
    return { liveGateways: Math.max(1, await countHeard(tx, ctx.nowMs)) };
  });
}

function rowOf(beat: Heartbeat, before: GatewayRow | null, nowMs: number) {
  const serves = newestServed(beat, before);
  return {
    version: beat.version,
    url: beat.url,
    startedAt: new Date(beat.startedAtMs),
    lastHeardAt: new Date(nowMs),
    servesEpoch: serves?.epoch ?? null,
    servesNumber: serves?.number ?? null,
    workers: beat.workers,
    auditBacklog: beat.auditBacklog,
    storeReachable: beat.store.reachable,
    storeMessage: beat.store.message,
    storeRegions: beat.store.regions,
    leftAt: beat.left ? new Date(nowMs) : null,
  };
}

/**
 * A heartbeat written just before a swap may arrive just after its ack; within one start a gateway only moves forward,
 * so the newer of the two counts.
 */
function newestServed(beat: Heartbeat, before: GatewayRow | null): ReleaseId | null {
  const known = before === null ? null : servedBy(before);
  if (known === null || before?.startedAt.getTime() !== beat.startedAtMs) return beat.serves;
  return beat.serves === null || compareReleases(known, beat.serves) > 0 ? known : beat.serves;
}

/** A release that only the leaving gateway lacked is live everywhere now. */
async function noteLeaving(tx: Tx, nowMs: number): Promise<void> {
  const target = await readTarget(tx);
  if (target !== null) await noteLive(tx, target.release, nowMs);
}

function isNews(beat: Heartbeat, row: ReturnType<typeof rowOf>, before: GatewayRow | null, nowMs: number): boolean {
  if (before === null || beat.left || before.leftAt !== null) return true;
  if (isSilent({ lastHeardMs: before.lastHeardAt.getTime() }, nowMs)) return true;
  if (before.startedAt.getTime() !== beat.startedAtMs || before.version !== beat.version) return true;
  if (before.storeReachable !== beat.store.reachable) return true;
  return before.servesEpoch !== row.servesEpoch || before.servesNumber !== row.servesNumber;
}

function countHeard(tx: Tx, nowMs: number): Promise<number> {
  return tx.gateway.count({ where: { leftAt: null, lastHeardAt: { gte: new Date(nowMs - SILENT_AFTER_MS) } } });
}
