import { ReviewChangeInput, reviewChange } from '#server/changes/review-change.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(ReviewChangeInput, reviewChange);
