import { SetRoleMappingsInput, setRoleMappings } from '#server/auth/edit-settings.ts';
import { handle } from '#server/http/handle.ts';

export const PUT = handle(SetRoleMappingsInput, setRoleMappings);
