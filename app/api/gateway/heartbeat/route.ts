import { Heartbeat } from '#gateway/contract/machine-api.ts';
import { moveOn } from '#server/changes/move-on.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';
import { takeHeartbeatWith } from '#server/gateways/take-heartbeat.ts';

export const POST = handleMachine(Heartbeat, takeHeartbeatWith(moveOn));
