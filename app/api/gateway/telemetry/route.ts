import { TelemetryShipment } from '#gateway/contract/telemetry.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';

export const POST = handleMachine(TelemetryShipment, takeTelemetry);
