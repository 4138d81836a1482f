import { handle } from '#server/http/handle.ts';
import { RevokeKeyInput, revokeKey } from '#server/tenants/revoke-key.ts';

export const POST = handle(RevokeKeyInput, revokeKey);
