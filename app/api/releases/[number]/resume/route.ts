import { moveOn } from '#server/changes/move-on.ts';
import { handle } from '#server/http/handle.ts';
import { MoveRolloutInput, resumeWith } from '#server/releases/move-rollout.ts';

export const POST = handle(MoveRolloutInput, resumeWith(moveOn));
