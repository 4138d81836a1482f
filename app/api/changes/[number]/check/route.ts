import { CheckDraftInput, checkDraft } from '#server/changes/check-draft.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(CheckDraftInput, checkDraft);
