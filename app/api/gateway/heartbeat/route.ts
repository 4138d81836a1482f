import { Heartbeat } from '#gateway/contract/machine-api.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';
import { takeHeartbeat } from '#server/gateways/take-heartbeat.ts';

export const POST = handleMachine(Heartbeat, takeHeartbeat);
