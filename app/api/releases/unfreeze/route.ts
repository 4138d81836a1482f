import { moveOn } from '#server/changes/move-on.ts';
import { handle } from '#server/http/handle.ts';
import { SetFreezeInput, unfreezeWith } from '#server/releases/set-freeze.ts';

export const POST = handle(SetFreezeInput, unfreezeWith(moveOn));
