import { createChange } from '#server/changes/create-change.ts';
import { listChanges } from '#server/changes/list-changes.ts';
import { ChangeQuery, CreateChange } from '#server/contract/changes.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(ChangeQuery, listChanges);
export const POST = handle(CreateChange, createChange);
