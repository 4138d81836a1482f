import { DefinitionQuery } from '#server/contract/definitions.ts';
import { handle } from '#server/http/handle.ts';
import { listDefinitions } from '#server/registry/list-definitions.ts';

export const GET = handle(DefinitionQuery, listDefinitions);
