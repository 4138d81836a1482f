import { AuditShipment } from '#gateway/contract/audit.ts';
import { takeAudit } from '#server/audit/take-shipment.ts';
import { handleMachine } from '#server/gateways/handle-machine.ts';

export const POST = handleMachine(AuditShipment, takeAudit);
