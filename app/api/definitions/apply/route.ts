import { applyDefinitions } from '#server/changes/apply-definitions.ts';
import { ApplyDefinitions } from '#server/contract/as-code.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(ApplyDefinitions, applyDefinitions);
