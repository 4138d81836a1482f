import { AddCommentInput, addComment } from '#server/changes/comments/add-comment.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(AddCommentInput, addComment);
