import { MoveWrites } from '#server/contract/cosmos.ts';
import { moveWrites } from '#server/cosmos/set-account.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(MoveWrites, moveWrites);
