import { RefreshChangeInput, refreshChange } from '#server/changes/refresh-change.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(RefreshChangeInput, refreshChange);
