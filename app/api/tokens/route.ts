import { NoInput } from '#server/auth/read-settings.ts';
import { CreateToken } from '#server/contract/tokens.ts';
import { handle } from '#server/http/handle.ts';
import { createToken } from '#server/tokens/create-token.ts';
import { listTokens } from '#server/tokens/list-tokens.ts';

export const GET = handle(NoInput, listTokens);
export const POST = handle(CreateToken, createToken);
