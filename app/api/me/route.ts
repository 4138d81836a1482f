import { readMe } from '#server/auth/read-me.ts';
import { NoInput } from '#server/auth/read-settings.ts';
import { handle } from '#server/http/handle.ts';

export const GET = handle(NoInput, readMe);
