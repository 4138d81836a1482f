import { handle } from '#server/http/handle.ts';
import { HaltRolloutInput, haltByHand } from '#server/releases/move-rollout.ts';

export const POST = handle(HaltRolloutInput, haltByHand);
