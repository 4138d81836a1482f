import { handle } from '#server/http/handle.ts';
import { RevokeTokenInput, revokeToken } from '#server/tokens/revoke-token.ts';

export const POST = handle(RevokeTokenInput, revokeToken);
