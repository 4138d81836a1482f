import { SetReviewModeInput, setReviewMode } from '#server/auth/edit-settings.ts';
import { handle } from '#server/http/handle.ts';

export const PUT = handle(SetReviewModeInput, setReviewMode);
