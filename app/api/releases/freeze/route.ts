import { handle } from '#server/http/handle.ts';
import { freezePublishing, NoInput, readFreezeState, SetFreezeInput } from '#server/releases/set-freeze.ts';

export const GET = handle(NoInput, readFreezeState);
export const POST = handle(SetFreezeInput, freezePublishing);
