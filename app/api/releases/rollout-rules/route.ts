import { handle } from '#server/http/handle.ts';
import { NoInput } from '#server/releases/set-freeze.ts';
import { RolloutRulesInput, readRolloutRulesState, setRolloutRules } from '#server/releases/set-rollout-rules.ts';

export const GET = handle(NoInput, readRolloutRulesState);
export const PUT = handle(RolloutRulesInput, setRolloutRules);
