import { ActInput } from '#server/changes/submit-change.ts';
import { unqueueChange } from '#server/changes/unqueue-change.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(ActInput, unqueueChange);
