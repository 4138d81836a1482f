import { SwitchOnFault } from '#server/contract/cosmos.ts';
import { SwitchOffFaults, switchOffFaults, switchOnFault } from '#server/cosmos/switch-faults.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(SwitchOnFault, switchOnFault);
export const DELETE = handle(SwitchOffFaults, switchOffFaults);
