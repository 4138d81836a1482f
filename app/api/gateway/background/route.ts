import { BackgroundReport } from '#gateway/contract/background.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';
import { takeBackground } from '#server/gateways/take-background.ts';

export const POST = handleMachine(BackgroundReport, takeBackground);
