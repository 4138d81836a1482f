import { Ack } from '#gateway/contract/machine-api.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';
import { takeAck } from '#server/gateways/take-ack.ts';

export const POST = handleMachine(Ack, takeAck);
