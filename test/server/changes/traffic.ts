import type { RequestRecord, TelemetryShipment } from '#gateway/contract/telemetry.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';
import { START_MS, type TestConsole } from '#test/server/console.ts';
import { recordOf, seriesOf, shipmentOf } from '#test/support/shipments.ts';

/** Traffic of the example an hour before the tests begin, as a gateway ships it. */
export function traffic(console: TestConsole) {
  const atMs = START_MS - 3_600_000;
  let seq = 0;
  const ship = (more: Partial<TelemetryShipment>) => {
    seq += 1;
    return takeTelemetry({ gateway: 'gw-a', db: console.db, nowMs: START_MS }, shipmentOf(seq, more));
  };
  return {
    atMs,
    ship,
    /** `requests` of chat-api on a type, all of one operation, one of them kept. */
    used: async (type: string, requests: number, kept: Partial<RequestRecord> & Pick<RequestRecord, 'operation'>) => {
      const isEdge = /^[a-z]/.test(type);
      const operation = kept.operation ?? 'object.get';
      const { tenant: _, ...series } = seriesOf(
        atMs,
        Array.from({ length: requests }, () => 900),
        {
          operation,
          ru: requests * 20,
        },
      );
      await ship({
        types: [{ type, ...series }],
        principals: [{ bucketMs: atMs, tenant: 'chat', principal: 'chat-api', type, requests, ru: requests * 20 }],
        requests: [
          recordOf(`req_${type}_${seq}`, atMs + seq, {
            ...kept,
            ...(isEdge ? { type: 'Conversation', edgeType: type, objectId: 'c1' } : { type }),
          }),
        ],
      });
    },
  };
}
