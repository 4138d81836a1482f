import { checkDefinitions } from '#server/changes/check-definitions.ts';
import { CheckDefinitions } from '#server/contract/as-code.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(CheckDefinitions, checkDefinitions);
