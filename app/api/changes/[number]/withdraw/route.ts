import { ActInput, withdrawChange } from '#server/changes/submit-change.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(ActInput, withdrawChange);
