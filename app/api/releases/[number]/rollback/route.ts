import { moveOn } from '#server/changes/move-on.ts';
import { handle } from '#server/http/handle.ts';
import { previewRollback, RollbackPreviewInput } from '#server/releases/preview-rollback.ts';
import { RollBackInput, rollBackWith } from '#server/releases/roll-back.ts';

export const GET = handle(RollbackPreviewInput, previewRollback);
export const POST = handle(RollBackInput, rollBackWith(moveOn));
