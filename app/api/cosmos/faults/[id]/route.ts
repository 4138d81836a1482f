import { SwitchOffFault } from '#server/contract/cosmos.ts';
import { switchOffFault } from '#server/cosmos/switch-faults.ts';
import { handle } from '#server/http/handle.ts';

export const DELETE = handle(SwitchOffFault, switchOffFault);
