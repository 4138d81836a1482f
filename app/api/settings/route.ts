import { NoInput, readSettings } from '#server/auth/read-settings.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(NoInput, readSettings);
