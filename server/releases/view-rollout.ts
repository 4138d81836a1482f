import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { RolloutView } from '#server/contract/rollouts.ts';
import type { StoredRollout } from '#server/db/rollout.ts';
import { readRolloutFacts } from '#server/publication/advance-rollout.ts';
import { nextStep } from '#server/publication/next-step.ts';
import { readQueue } from '#server/publication/queue.ts';

/** A rollout as its release's page shows it: with what is measured and what it waits for, while it is open. */
export async function viewRollout(ctx: Ctx, rollout: StoredRollout): Promise<RolloutView> {
  const isOpen = rollout.state === 'rolling' || rollout.state === 'halted';
  const facts = isOpen ? await readRolloutFacts(ctx.db, ctx.nowMs) : null;
  const queue = isOpen ? await readQueue(ctx.db) : [];
  return {
    stage: rollout.stage,
    stages: rollout.stages.map((names) => [...names]),
    state: rollout.state,
    promotes: rollout.promotes,
    afterSeconds: rollout.afterSeconds,
    base: rollout.baseNumber,
    haltReason: rollout.haltReason,
    waitsFor: facts === null ? null : nextStep(facts).why,
    evidence: facts?.evidence ?? null,
    turns: [...rollout.turns],
    queue: queue.map(({ change, cause, by, atMs }) => ({ change, cause, by, atMs })),
  };
}
