import { SetBudget } from '#server/contract/cosmos.ts';
import { setBudget } from '#server/cosmos/set-account.ts';
import { handle } from '#server/http/handle.ts';

export const PUT = handle(SetBudget, setBudget);
