import 'server-only';
import { BUCKET_MS } from '#gateway/contract/telemetry.ts';
import { type AuditActor, appendAudit } from '#server/audit/append.ts';
import type { Person } from '#server/contract/people.ts';
import { type Database, type Reader, type Tx, withTransaction } from '#server/db/client.ts';
import { readStandings } from '#server/db/gateway-standing.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';
import { readOpenRollout, type StoredRollout, stageCount, stageOf } from '#server/db/rollout.ts';
import { closeHaltItems, closeRollout } from './end-rollout.ts';
import { readEvidence } from './evidence.ts';
import { readFreeze } from './freeze.ts';
import { bySystem, HABITAT } from './habitat-actor.ts';
import { haltRollout } from './halt-rollout.ts';
import { nextStep, type RolloutFacts, STAND_IN_AFTER_MS } from './next-step.ts';
import { inHashOrder } from './plan-stages.ts';
import { tryLockPublishing } from './publish-release.ts';

/**
 * Takes the open rollout as many steps on as its rule allows now. Driven by what gateways report, so it needs no clock of
 * its own and goes on after a restart of the console. While somebody publishes it leaves it to the next report.
 */
export async function advanceRollout({ db, nowMs }: { readonly db: Database; readonly nowMs: number }): Promise<void> {
  while ((await readOpenRollout(db)) !== null) {
    const hasMoved = await withTransaction(db, async (tx) => {
      if (!(await tryLockPublishing(tx))) return false;
      const facts = await readRolloutFacts(tx, nowMs);
      return facts === null ? false : takeStep(tx, facts);
    });
    if (!hasMoved) return;
  }
}

/** The open rollout with everything its rule looks at; null without one. */
export async function readRolloutFacts(db: Reader, nowMs: number): Promise<RolloutFacts | null> {
  const { rollout, gateways } = await readStandings(db, nowMs);
  if (rollout === null) return null;
  const evidence = await readEvidence(db, { rollout, gateways, nowMs });
  const [freeze, isSteady] = [await readFreeze(db), await wasHearing(db, nowMs)];
  return { rollout, gateways, evidence, freeze, isSteady, nowMs };
}

/** Whether gateways reported in nearly all ten-second spans of that time. */
async function wasHearing(db: Reader, nowMs: number): Promise<boolean> {
  const spans = await db.gatewayReport.findMany({
    where: { bucketAt: { gte: new Date(nowMs - STAND_IN_AFTER_MS), lte: new Date(nowMs) } },
    select: { bucketAt: true },
    distinct: ['bucketAt'],
  });
  return spans.length >= (STAND_IN_AFTER_MS / BUCKET_MS) * 0.9;
}

async function takeStep(tx: Tx, facts: RolloutFacts): Promise<boolean> {
  const { rollout, gateways, nowMs } = facts;
  const { kind, why } = nextStep(facts);
  switch (kind) {
    case 'wait':
      return false;
    case 'note live':
      await tx.rollout.update({
        where: { releaseNumber: rollout.releaseNumber },
        data: { stageLiveAt: new Date(nowMs), turns: turnsWith(rollout, { what: why, who: null, note: null, nowMs }) },
      });
      break;
    case 'staff':
      await staff(tx, { rollout, names: gateways.filter(isAble).map(({ name }) => name), why, nowMs });
      break;
    case 'promote':
      await openNextStage(tx, { rollout, by: bySystem(nowMs), why });
      break;
    case 'halt':
      await haltRollout(tx, { rollout, by: bySystem(nowMs), why });
      break;
    case 'done':
      await finishRollout(tx, { rollout, by: bySystem(nowMs), why });
  }
  await notify(tx, 'releases', 'shell', 'changes', 'gateways');
  return kind !== 'halt';
}

interface Move {
  readonly rollout: StoredRollout;
  readonly by: AuditActor;
  readonly why: string;
}

/** Opens the next stage; its gateways are woken at commit. */
export async function openNextStage(tx: Tx, { rollout, by, why }: Move): Promise<void> {
  const stage = rollout.stage + 1;
  const names = rollout.stages[stage - 1];
  const what = `Stage ${stage} of ${stageCount(rollout)}: ${names === undefined ? 'all gateways' : names.join(', ')}`;
  const who = personIn(by);
  await tx.rollout.update({
    where: { releaseNumber: rollout.releaseNumber },
    data: {
      stage,
      state: 'rolling',
      haltReason: null,
      stageAt: new Date(by.nowMs),
      stageLiveAt: null,
      turns: turnsWith(rollout, { what, who: who.name, note: why, nowMs: by.nowMs }),
    },
  });
  await closeHaltItems(tx, { release: rollout.releaseNumber, who, nowMs: by.nowMs });
  await appendAudit(tx, by, {
    did: 'opened',
    what: `stage ${stage} of ${stageCount(rollout)} of r${rollout.releaseNumber}`,
    href: `/releases/${rollout.releaseNumber}`,
    because: why,
    release: rollout.releaseNumber,
  });
}

/** Ends the rollout with the release offered to everybody; what waits for it may go on. */
export async function finishRollout(tx: Tx, { rollout, by, why }: Move): Promise<void> {
  const who = personIn(by);
  const turn = { rollout, state: 'done', what: 'Rollout done', who, note: why, nowMs: by.nowMs } as const;
  await closeRollout(tx, turn);
  await appendAudit(tx, by, {
    did: 'finished',
    what: `the rollout of r${rollout.releaseNumber}`,
    href: `/releases/${rollout.releaseNumber}`,
    because: why,
    release: rollout.releaseNumber,
  });
}

/** The next gateway in line takes the place of those that are gone, so that a stage without gateways is no dead end. */
async function staff(
  tx: Tx,
  to: {
    readonly rollout: StoredRollout;
    readonly names: readonly string[];
    readonly why: string;
    readonly nowMs: number;
  },
): Promise<void> {
  const { rollout, names, why, nowMs } = to;
  const [next] = inHashOrder(names.filter((name) => stageOf(rollout, name) > rollout.stage));
  if (next === undefined) return;
  const stages = rollout.stages.map((stage, index) => {
    const others = stage.filter((name) => name !== next);
    return index === rollout.stage - 1 ? [...others, next] : others;
  });
  await tx.rollout.update({
    where: { releaseNumber: rollout.releaseNumber },
    data: {
      stages: dbJsonValue(stages),
      turns: turnsWith(rollout, { what: `${next} joined stage ${rollout.stage}`, who: HABITAT.name, note: why, nowMs }),
    },
  });
}

function isAble({ state }: { readonly state: string }): boolean {
  return state !== 'silent' && state !== 'too old';
}

function personIn({ actor }: AuditActor): Person {
  return { id: actor.id, name: actor.name };
}

function turnsWith(
  { turns }: StoredRollout,
  turn: { readonly what: string; readonly who: string | null; readonly note: string | null; readonly nowMs: number },
) {
  const { nowMs, ...rest } = turn;
  return dbJsonValue([...turns, { atMs: nowMs, ...rest }]);
}
