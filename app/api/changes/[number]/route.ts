import { ChangePath, readChange } from '#server/changes/read-change.ts';
import { UpdateChangeInput, updateChange } from '#server/changes/update-change.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(ChangePath, readChange);
export const PATCH = handle(UpdateChangeInput, updateChange);
