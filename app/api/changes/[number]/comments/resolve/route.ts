import { ResolveCommentsInput, resolveComments } from '#server/changes/comments/resolve-comments.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(ResolveCommentsInput, resolveComments);
