import 'server-only';
import { SILENT_AFTER_MS } from '#gateway/contract/machine-api.ts';
import { compareVersions } from '#server/contract/gateway-state.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { MIN_GATEWAY_VERSION } from './build-release.ts';
import { planStages } from './plan-stages.ts';
import type { PublishRequest } from './publish-request.ts';
import { readRolloutRules } from './rollout-rules.ts';

/**
 * Opens the first stage of a release that was just written, unless it goes to all gateways at once: an emergency, a release
 * that changes no definition, stages switched off, or fewer than two gateways that are heard of and could run it.
 */
export async function startRollout(
  tx: Tx,
  started: {
    readonly request: Pick<PublishRequest, 'edits' | 'emergency' | 'by'>;
    readonly release: number;
    readonly narrows: boolean;
    readonly nowMs: number;
  },
): Promise<void> {
  const { request, release, narrows, nowMs } = started;
  if (request.emergency || request.edits.length === 0) return;
  const rules = await readRolloutRules(tx);
  if (!rules.staged) return;
  const base = await tx.release.findFirst({
    where: { number: { lt: release } },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  const stages = planStages(await readAbleGateways(tx, nowMs));
  if (base === null || stages.length === 0) return;
  const now = new Date(nowMs);
  const first = { atMs: nowMs, what: `Stage 1 of ${stages.length + 1}: ${(stages[0] ?? []).join(', ')}` };
  await tx.rollout.create({
    data: {
      releaseNumber: release,
      baseNumber: base.number,
      stages: dbJsonValue(stages),
      stage: 1,
      state: 'rolling',
      promotes: rules.promotes,
      afterSeconds: rules.afterSeconds,
      narrows,
      startedAt: now,
      stageAt: now,
      turns: dbJsonValue([{ ...first, who: request.by.name, note: null }]),
    },
  });
}

/** Gateways heard of lately that are new enough for what this console writes. */
export async function readAbleGateways(tx: Tx, nowMs: number): Promise<readonly string[]> {
  const rows = await tx.gateway.findMany({
    where: { leftAt: null, lastHeardAt: { gte: new Date(nowMs - SILENT_AFTER_MS) } },
    select: { name: true, version: true },
  });
  return rows.filter(({ version }) => compareVersions(version, MIN_GATEWAY_VERSION) >= 0).map(({ name }) => name);
}
