import { Ack } from '#gateway/contract/machine-api.ts';
import { moveOn } from '#server/changes/move-on.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';
import { takeAckWith } from '#server/gateways/take-ack.ts';

export const POST = handleMachine(Ack, takeAckWith(moveOn));
