import { handle } from '#server/http/handle.ts';
import { CreateKeyInput, createKey } from '#server/tenants/create-key.ts';
import { listKeys, PrincipalPath } from '#server/tenants/list-keys.ts';

export const GET = handle(PrincipalPath, listKeys);
export const POST = handle(CreateKeyInput, createKey);
