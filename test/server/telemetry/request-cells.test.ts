import { expect, it } from 'vitest';
import { RequestQuery } from '#server/contract/requests.ts';
import { listRequests } from '#server/telemetry/list-requests.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';
import { addTenant, NOON, openBareConsole } from '#test/support/bare-console.ts';
import { recordOf, shipmentOf } from '#test/support/shipments.ts';

const test = await openBareConsole();
const idsOf = async (query: object) => {
  const { items } = await listRequests(test.ctxOf({ roles: ['operator'] }), RequestQuery.parse(query));
  return items.map(({ id }) => id);
};

it('a cell of the heatmap lists the requests of its duration, operation and gateway', async () => {
  await addTenant(test.db, 'chat', 'chat');
  await takeTelemetry(
    { gateway: 'gw-a', db: test.db, nowMs: NOON },
    shipmentOf(1, {
      requests: [
        recordOf('req_fast', NOON, { durationUs: 1_999 }),
        recordOf('req_lower', NOON + 1, { durationUs: 2_000 }),
        recordOf('req_list', NOON + 2, { durationUs: 2_500, operation: 'edge.list' }),
        recordOf('req_upper', NOON + 3, { durationUs: 3_000 }),
      ],
    }),
  );
  expect(await idsOf({ fromUs: 2_000, toUs: 3_000 })).toEqual(['req_list', 'req_lower']);
  expect(await idsOf({ fromUs: 2_000, toUs: 3_000, operation: 'edge.list' })).toEqual(['req_list']);
  expect(await idsOf({ gateway: 'gw-b' })).toEqual([]);
  expect(await idsOf({ fromUs: 3_000 })).toEqual(['req_upper']);
});
