import { PublishChangeInput, publishChange } from '#server/changes/publish-change.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(PublishChangeInput, publishChange);
