import { durationWords } from '#server/contract/gateway-state.ts';
import type { Evidence, Freeze } from '#server/contract/rollouts.ts';
import type { StandingGateway } from '#server/db/gateway-standing.ts';
import { isOffered, type StoredRollout, stageCount } from '#server/db/rollout.ts';
import { frozenWords } from './frozen-words.ts';

/** Without enough requests to compare, a stage opens after this many times the usual wait. */
const UNMEASURED_TIMES = 5;
/** A stage whose gateways have all been silent this long gets another one, unless it is the console that was away. */
export const STAND_IN_AFTER_MS = 5 * 60_000;

/** What a rollout does next; `why` is a sentence for people. */
export interface Step {
  readonly kind: 'wait' | 'note live' | 'staff' | 'promote' | 'halt' | 'done';
  readonly why: string;
}

export interface RolloutFacts {
  readonly rollout: StoredRollout;
  /** Every gateway that has not left. */
  readonly gateways: readonly StandingGateway[];
  readonly evidence: Evidence | null;
  readonly freeze: Freeze | null;
  /** The console heard of gateways all through STAND_IN_AFTER_MS, so who was silent then was silent indeed. */
  readonly isSteady: boolean;
  readonly nowMs: number;
}

/**
 * Pure rule of a rollout. It halts when a gateway rejects the release or the measurement is worse; it is done when nobody
 * is left to offer it to and every gateway that is heard of has it live; it opens the next stage by hand or on evidence.
 */
export function nextStep(facts: RolloutFacts): Step {
  const { rollout, gateways } = facts;
  if (rollout.state === 'halted') {
    return { kind: 'wait', why: `Halted: ${rollout.haltReason ?? ''} Somebody resumes it or rolls back.` };
  }
  const inStage = gateways.filter(({ name }) => isOffered(rollout, name));
  const rejected = inStage.find(({ state }) => state === 'rejected');
  if (rejected !== undefined) {
    return { kind: 'halt', why: `${rejected.name} rejected it: ${rejected.answer?.reason ?? 'no reason given'}` };
  }
  const able = inStage.filter(({ state }) => state !== 'silent' && state !== 'too old');
  const late = gateways.filter(({ name, state }) => !isOffered(rollout, name) && state !== 'silent');
  if (able.length === 0) return withoutStage(facts, { inStage, late });
  const notLive = able.find(({ state }) => state !== 'live');
  if (notLive !== undefined) return { kind: 'wait', why: `Waits for ${notLive.name} to have it live.` };
  if (rollout.stage >= stageCount(rollout) || late.length === 0) {
    return { kind: 'done', why: 'Every gateway that is heard of has it live.' };
  }
  if (rollout.stageLiveAtMs === null) return { kind: 'note live', why: `Stage ${rollout.stage} has it live.` };
  return whenLive(facts, rollout.stageLiveAtMs);
}

/** No gateway of the open stages can take it now. */
function withoutStage(
  { isSteady, nowMs }: RolloutFacts,
  { inStage, late }: { readonly inStage: readonly StandingGateway[]; readonly late: readonly StandingGateway[] },
): Step {
  const silent = inStage.filter(({ state }) => state === 'silent');
  const isGone = silent.every(({ lastHeardMs }) => isSteady && nowMs - lastHeardMs > STAND_IN_AFTER_MS);
  if (late.length > 0 && isGone) {
    return { kind: 'staff', why: 'No gateway of the open stages can take it, so the next in line stands in.' };
  }
  const first = silent[0];
  if (first !== undefined) return { kind: 'wait', why: `Waits for ${first.name}, which is silent.` };
  return { kind: 'wait', why: 'Waits for a gateway: none can take it.' };
}

function whenLive({ rollout, evidence, freeze, nowMs }: RolloutFacts, liveAtMs: number): Step {
  const next = `stage ${rollout.stage + 1} of ${stageCount(rollout)}`;
  if (evidence?.verdict === 'worse') return { kind: 'halt', why: evidence.says };
  const measured = evidence?.says ?? 'Nothing is measured yet.';
  if (freeze !== null) return { kind: 'wait', why: `${frozenWords(freeze)} So ${next} stays closed.` };
  if (rollout.promotes === 'by hand') return { kind: 'wait', why: `Waits for somebody to open ${next}. ${measured}` };
  const isMeasured = evidence?.verdict === 'no worse';
  const waitMs = rollout.afterSeconds * 1_000 * (isMeasured ? 1 : UNMEASURED_TIMES);
  const leftMs = liveAtMs + waitMs - nowMs;
  if (leftMs <= 0) return { kind: 'promote', why: measured };
  if (isMeasured || nowMs - liveAtMs < rollout.afterSeconds * 1_000) {
    const shortestMs = isMeasured ? leftMs : liveAtMs + rollout.afterSeconds * 1_000 - nowMs;
    return {
      kind: 'wait',
      why: `Opens ${next} in ${durationWords(shortestMs)} unless something gets worse. ${measured}`,
    };
  }
  return { kind: 'wait', why: `${measured} Opens ${next} in ${durationWords(leftMs)} unless something gets worse.` };
}
