import 'server-only';
import type { Ack } from '#gateway/contract/machine-api.ts';
import { appendGatewayAct } from '#server/audit/append-gateway-act.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import type { GatewayAckRow } from '#server/db/rows.ts';
import type { MachineCtx } from './handle-machine.ts';
import { type MoveOn, moveOnAfter } from './move-on.ts';
import { noteLive } from './note-live.ts';

/**
 * POST /api/gateway/ack: keeps a gateway's newest answer to a release, moves what it serves when it is live, notes the
 * release's first-live and all-live times, and writes the turn into the audit log. Repeating an answer changes nothing.
 * Refuses with `not_found` when the console never published that release. An open rollout moves on with it.
 */
export function takeAckWith(moveOn: MoveOn) {
  return async (ctx: MachineCtx, ack: Ack): Promise<object> => {
    await keepAck(ctx, ack);
    await moveOnAfter(ctx, moveOn);
    return {};
  };
}

async function keepAck(ctx: MachineCtx, ack: Ack): Promise<void> {
  const { epoch, number, sha256 } = ack.release;
  await withTransaction(ctx.db, async (tx) => {
    const release = await tx.release.findUnique({ where: { sha256 }, select: { epoch: true, number: true } });
    if (release === null || release.epoch !== epoch || release.number !== number) {
      throw new ServerError('not_found', { publicMessage: `The console did not publish r${number} with this hash.` });
    }
    // Answers of one gateway take turns, so that each sees the one before it.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`ack:${ctx.gateway}`}))`;
    const key = { gateway_epoch_number: { gateway: ctx.gateway, epoch, number } };
    const before = await tx.gatewayAck.findUnique({ where: key });
    const at = new Date(ctx.nowMs);
    const data = answerData(ack, before, at);
    await tx.gatewayAck.upsert({
      where: key,
      create: { gateway: ctx.gateway, epoch, number, at, ...data },
      update: data,
    });
    await moveServed(tx, ctx.gateway, ack);
    if (ack.result.state === 'live') await noteLive(tx, { epoch, number }, ctx.nowMs);
    if (isTurn(ack, before)) await appendTurn(tx, ctx, ack);
    await notify(tx, 'releases', 'shell', 'gateways');
  });
}

function answerData(ack: Ack, before: GatewayAckRow | null, at: Date) {
  const { result, release, version } = ack;
  const common = { sha256: release.sha256, state: result.state, version };
  if (result.state !== 'live') {
    const reason = result.state === 'rejected' ? result.reason : null;
    return { ...common, at, reason, durationMs: null, parseMs: null, probesPassed: null };
  }
  // A gateway that restarts on a release it kept says so in no time and without probes: its first answer is the one to
  // show.
  if (before?.state === 'live') return common;
  const { durationMs, parseMs, probesPassed } = result;
  return { ...common, at, firstLiveAt: before?.firstLiveAt ?? at, reason: null, durationMs, parseMs, probesPassed };
}

async function moveServed(tx: Tx, gateway: string, ack: Ack): Promise<void> {
  if (ack.result.state !== 'live') return;
  // No row yet means no heartbeat yet; the first one says what it serves.
  await tx.gateway.updateMany({
    where: { name: gateway },
    data: { servesEpoch: ack.release.epoch, servesNumber: ack.release.number, version: ack.version },
  });
}

/** Whether the log should tell it: a release newly live on this gateway, or rejected for a new reason. */
function isTurn(ack: Ack, before: GatewayAckRow | null): boolean {
  const { result } = ack;
  if (result.state === 'applying') return false;
  if (result.state === 'live') return before?.firstLiveAt == null;
  return before?.state !== 'rejected' || before.reason !== result.reason;
}

function appendTurn(tx: Tx, ctx: MachineCtx, ack: Ack): Promise<void> {
  const { number } = ack.release;
  const live = ack.result.state === 'live';
  return appendGatewayAct(tx, ctx, {
    did: live ? 'made live' : 'rejected',
    what: `r${number}`,
    href: `/releases/${number}`,
    because: ack.result.state === 'rejected' ? ack.result.reason : null,
    release: number,
    outcome: live ? 'done' : 'rejected',
  });
}
