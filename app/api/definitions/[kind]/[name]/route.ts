import { handle } from '#server/http/handle.ts';
import { DefinitionPath, readDefinition } from '#server/registry/read-definition.ts';

export const GET = handle(DefinitionPath, readDefinition);
