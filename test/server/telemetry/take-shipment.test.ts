import { beforeEach, describe, expect, it } from 'vitest';
import { TelemetryShipment } from '#gateway/contract/telemetry.ts';
import { readCosts, readWrites } from '#server/db/evidence.ts';
import { usageOfType } from '#server/db/usage.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';
import { NOON, openBareConsole } from '#test/support/bare-console.ts';
import { callMachine } from '#test/support/machine.ts';
import { recordOf, seriesOf, shipmentOf } from '#test/support/shipments.ts';

const test = await openBareConsole();
const { db } = test;

const ship = (shipment: TelemetryShipment, gateway = 'gw-a') =>
  takeTelemetry({ gateway, db, nowMs: test.clock.nowMs }, shipment);

const stored = async (widthSeconds: number) =>
  (await db.latencyBucket.findMany({ where: { widthSeconds, scope: 'tenant' }, orderBy: { bucketAt: 'asc' } })).map(
    ({ bucketAt, count, maxUs, ru }) => ({ atMs: bucketAt.getTime(), count, maxUs, ru }),
  );

beforeEach(async () => {
  test.clock.nowMs = NOON + 3_600_000;
  await db.$executeRaw`TRUNCATE latency_bucket, principal_use, telemetry_shipment, request_record, gateway_report`;
});

describe('telemetry is taken exactly once', () => {
  it('by the route, from a gateway with its token', async () => {
    const call = { schema: TelemetryShipment, verb: takeTelemetry, body: shipmentOf(1) };
    expect(await (await callMachine(test, call)).json()).toEqual({ nextSeq: 2 });
    expect((await callMachine(test, { ...call, token: 'x'.repeat(43) })).status).toBe(401);
    expect((await callMachine(test, { ...call, body: { boot: 'b1', seq: 0 } })).status).toBe(400);
  });

  it('a repeat adds nothing', async () => {
    const first = shipmentOf(1, { tenants: [seriesOf(NOON, [100, 200])], requests: [recordOf('req_1', NOON)] });
    expect(await ship(first)).toEqual({ nextSeq: 2 });
    expect(await ship(first)).toEqual({ nextSeq: 2 });
    expect(await stored(10)).toEqual([{ atMs: NOON, count: 2, maxUs: 200, ru: 2 }]);
    expect(await db.requestRecord.count()).toBe(1);
  });

  it('repeats at the same moment add nothing either', async () => {
    const shipment = shipmentOf(1, { tenants: [seriesOf(NOON, [100])] });
    await Promise.all(Array.from({ length: 5 }, () => ship(shipment)));
    expect(await stored(10)).toMatchObject([{ count: 1 }]);
  });

  it('a skipped shipment is taken, and one before it no more', async () => {
    await ship(shipmentOf(1, { tenants: [seriesOf(NOON, [1])] }));
    expect(await ship(shipmentOf(3, { tenants: [seriesOf(NOON, [1])] }))).toEqual({ nextSeq: 4 });
    expect(await ship(shipmentOf(2, { tenants: [seriesOf(NOON, [1])] }))).toEqual({ nextSeq: 4 });
    expect(await stored(10)).toMatchObject([{ count: 2 }]);
  });

  it('a new start of a gateway counts from 1 again', async () => {
    await ship(shipmentOf(7, { tenants: [seriesOf(NOON, [1])] }));
    await ship(shipmentOf(1, { boot: 'b2', tenants: [seriesOf(NOON, [1])] }));
    expect(await stored(10)).toMatchObject([{ count: 2 }]);
  });

  it('a shipment that fails leaves nothing behind', async () => {
    const bad = shipmentOf(1, {
      tenants: [seriesOf(NOON, [1])],
      requests: [recordOf('req_1', NOON, { status: 2 ** 40 })],
    });
    await expect(ship(bad)).rejects.toThrow();
    expect(await stored(10)).toEqual([]);
    expect(await ship(shipmentOf(1, { tenants: [seriesOf(NOON, [1])] }))).toEqual({ nextSeq: 2 });
  });
});

describe('stored widths', () => {
  it('each holds every request, merged', async () => {
    await ship(shipmentOf(1, { tenants: [seriesOf(NOON, [100]), seriesOf(NOON + 10_000, [300])] }));
    await ship(shipmentOf(2, { tenants: [seriesOf(NOON + 10_000, [200]), seriesOf(NOON + 60_000, [50])] }));
    expect(await stored(10)).toEqual([
      { atMs: NOON, count: 1, maxUs: 100, ru: 1 },
      { atMs: NOON + 10_000, count: 2, maxUs: 300, ru: 2 },
      { atMs: NOON + 60_000, count: 1, maxUs: 50, ru: 1 },
    ]);
    expect(await stored(60)).toEqual([
      { atMs: NOON, count: 3, maxUs: 300, ru: 3 },
      { atMs: NOON + 60_000, count: 1, maxUs: 50, ru: 1 },
    ]);
    expect(await stored(3_600)).toEqual([{ atMs: NOON, count: 4, maxUs: 300, ru: 4 }]);
    const [row] = await db.latencyBucket.findMany({ where: { widthSeconds: 3_600 } });
    expect(row?.histogram).toEqual(seriesOf(NOON, [100, 300, 200, 50]).histogram);
  });

  it('gateways are kept apart', async () => {
    await ship(shipmentOf(1, { tenants: [seriesOf(NOON, [100])] }), 'gw-a');
    await ship(shipmentOf(1, { tenants: [seriesOf(NOON, [100])] }), 'gw-b');
    expect(await stored(10)).toHaveLength(2);
  });

  it('a span that a width no longer keeps goes to the wider ones only', async () => {
    test.clock.nowMs = NOON + 25 * 3_600_000;
    await ship(shipmentOf(1, { tenants: [seriesOf(NOON, [100])] }));
    expect([await stored(10), await stored(60)].map((rows) => rows.length)).toEqual([0, 1]);
  });
});

describe('use of types', () => {
  const use = (bucketMs: number, requests: number, more = {}) => ({
    bucketMs,
    tenant: 'chat',
    principal: 'chat-api',
    type: 'Message',
    requests,
    ru: requests,
    ...more,
  });

  it('adds up by principal and type over 24 hours, with the last use', async () => {
    await ship(shipmentOf(1, { principals: [use(NOON, 3), use(NOON + 10_000, 4), use(NOON, 5, { type: 'User' })] }));
    await ship(shipmentOf(2, { principals: [use(NOON + 20_000, 1), use(NOON - 30 * 3_600_000, 100)] }));
    const now = NOON + 60_000;
    expect(await usageOfType(db, 'Message', now)).toEqual([
      { principal: 'chat-api', tenant: 'chat', type: 'Message', requests24h: 8, lastUsedMs: NOON },
    ]);
  });

  it("a key's last use moves forward only, and a refused key was not used", async () => {
    await db.principalKey.create({
      data: {
        id: 'abcdefghijkl',
        principal: 'chat-api',
        label: 'first',
        secretSha256: '0'.repeat(64),
        createdAt: new Date(NOON),
        createdById: 'ana',
        createdByName: 'Ana Ruiz',
      },
    });
    const lastUse = async () => (await db.principalKey.findFirstOrThrow()).lastUsedAt?.getTime();
    await ship(shipmentOf(1, { requests: [recordOf('req_1', NOON + 2_000), recordOf('req_2', NOON + 5_000)] }));
    await ship(shipmentOf(2, { requests: [recordOf('req_3', NOON)] }));
    const refused = { code: 'unauthenticated', principal: null, status: 401, outcome: 'refused' } as const;
    await ship(shipmentOf(3, { requests: [recordOf('req_4', NOON + 9_000, refused)] }));
    expect(await lastUse()).toBe(NOON + 5_000);
  });
});

describe('writes of a type', () => {
  const ofType = (type: string, more: object) => ({ ...seriesOf(NOON, [100, 200]), type, ...more });

  it('are those of commits too, and leave the cost of requests alone', async () => {
    const commit = { operation: 'commit' as const };
    await ship(
      shipmentOf(1, {
        types: [
          ofType('Room', { ...commit, writes: 1 }),
          ofType('members', { ...commit, count: 0, histogram: [], maxUs: 0, sumUs: 0, ru: 0, writes: 40 }),
          ofType('members', { operation: 'edge.put', writes: 2 }),
          ofType('members', { operation: 'edge.list', writes: 0 }),
        ],
      }),
    );
    expect([await readWrites(db, 'members', NOON), await readWrites(db, 'Room', NOON)]).toEqual([42, 1]);
    const { costs } = await readCosts(db, ['members', 'Room'], NOON);
    expect(costs.map(({ type, operation, requests }) => `${type} ${operation} ${requests}`)).toEqual([
      'Room commit 2',
      'members edge.list 2',
      'members edge.put 2',
    ]);
  });

  it('of a gateway that does not count them are one a request that writes, beside those of others', async () => {
    await ship(shipmentOf(1, { types: [ofType('Room', { operation: 'object.put' }), ofType('Room', {})] }));
    expect(await readWrites(db, 'Room', NOON)).toBe(2);
    await ship(shipmentOf(1, { types: [ofType('Room', { operation: 'object.put', writes: 5 })] }), 'gw-b');
    await ship(shipmentOf(2, { types: [ofType('Room', { operation: 'object.put', writes: 5 })] }));
    await ship(shipmentOf(3, { types: [ofType('Room', { writes: 0 })] }));
    expect(await readWrites(db, 'Room', NOON)).toBe(12);
  });
});
