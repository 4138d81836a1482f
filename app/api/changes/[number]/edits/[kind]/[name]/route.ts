import { removeEdit } from '#server/changes/remove-edit.ts';
import { EditPath, SaveEditInput, saveEdit } from '#server/changes/save-edit.ts';
import { handle } from '#server/http/handle.ts';

export const PUT = handle(SaveEditInput, saveEdit);
export const DELETE = handle(EditPath, removeEdit);
