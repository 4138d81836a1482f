import { moveOn } from '#server/changes/move-on.ts';
import { handle } from '#server/http/handle.ts';
import { MoveRolloutInput, promoteWith } from '#server/releases/move-rollout.ts';

export const POST = handle(MoveRolloutInput, promoteWith(moveOn));
