import { NoInput } from '#server/auth/read-settings.ts';
import { handle } from '#server/http/handle.ts';
import { readOpenApi } from '#server/http/openapi.ts';

export const GET = handle(NoInput, readOpenApi);
