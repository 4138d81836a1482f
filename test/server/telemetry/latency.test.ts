import { beforeEach, describe, expect, it } from 'vitest';
import { LatencyQuery, TenantLatency } from '#server/contract/latency.ts';
import { latencyIndex } from '#server/telemetry/latency-index.ts';
import { pruneTelemetry } from '#server/telemetry/prune.ts';
import { pruneWhenDue } from '#server/telemetry/prune-when-due.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';
import { TenantLatencyQuery, tenantLatency } from '#server/telemetry/tenant-latency.ts';
import { addRelease, addTenant, NOON, openBareConsole, type TestPerson } from '#test/support/bare-console.ts';
import { recordOf, seriesOf, shipmentOf } from '#test/support/shipments.ts';

const test = await openBareConsole();
const { db } = test;
const operator: TestPerson = { id: 'olga', roles: ['operator'] };
const ana: TestPerson = { roles: ['engineer'], teams: ['chat'] };
const stranger: TestPerson = { id: 'eve', roles: ['engineer'], teams: ['search'] };
let seq = 0;

const ship = (more: Parameters<typeof shipmentOf>[1], gateway = 'gw-a') => {
  seq += 1;
  return takeTelemetry({ gateway, db, nowMs: test.clock.nowMs }, shipmentOf(seq, more));
};
const chart = (query: object = {}, who = ana) =>
  tenantLatency(test.ctxOf(who), TenantLatencyQuery.parse({ tenant: 'chat', ...query }));
const index = (who = operator, query: object = {}) => latencyIndex(test.ctxOf(who), LatencyQuery.parse(query));
const many = (count: number, us: number) => Array<number>(count).fill(us);

beforeEach(async () => {
  test.clock.nowMs = NOON + 3_600_000;
  await db.$executeRaw`TRUNCATE latency_bucket, principal_use, telemetry_shipment, request_record, gateway_report,
    release, definition, setting`;
  await addTenant(db, 'chat', 'chat', 50);
  await addTenant(db, 'search', 'search');
});

describe('latency of a tenant', () => {
  it('gives percentiles of served requests from merged histograms of all gateways', async () => {
    const atMs = NOON + 1_800_000;
    await ship({ tenants: [seriesOf(atMs, many(990, 1_000))] }, 'gw-a');
    await ship(
      { tenants: [seriesOf(atMs, many(11, 90_000)), seriesOf(atMs, many(5_000, 9), { outcome: 'overQuota' })] },
      'gw-b',
    );
    const reply = TenantLatency.parse(await chart());
    expect(reply.requests).toBe(1_001);
    // Averaging the two gateways' percentiles would give about 45 ms.
    expect(reply.overall.p99Us).toBeGreaterThan(89_000);
    expect(reply.overall.p95Us).toBeLessThan(1_010);
    expect(reply.overall.maxUs).toBe(90_000);
    const point = reply.points.find(({ requests }) => requests > 0);
    expect(point).toMatchObject({ atMs, requests: 1_001, outcomes: { served: 1_001, overQuota: 5_000 } });
    expect(reply.operations).toEqual([
      expect.objectContaining({ operation: 'object.get', requests: 1_001, ru: 1_001 }),
    ]);
    expect(reply.heatmap.cells.reduce((sum, [, , count]) => sum + count, 0)).toBe(1_001);
    expect(reply.sentence).toMatch(/^p99 is 9\d ms over 1,001 served requests, above its target of 50 ms\.$/);
  });

  it('filters by operation, gateway and outcome', async () => {
    const atMs = NOON + 1_800_000;
    await ship(
      { tenants: [seriesOf(atMs, many(3, 10)), seriesOf(atMs, many(4, 10), { operation: 'edge.list' })] },
      'gw-a',
    );
    await ship({ tenants: [seriesOf(atMs, many(5, 10), { outcome: 'failed' })] }, 'gw-b');
    const counted = async (query: object) => (await chart(query)).requests;
    expect(await counted({ operation: 'edge.list' })).toBe(4);
    expect(await counted({ gateway: 'gw-b', outcome: 'all' })).toBe(5);
    expect(await counted({ outcome: 'failed' })).toBe(5);
    expect(await counted({})).toBe(7);
  });

  it('too few for p99 is null, and the kept requests are dots', async () => {
    const atMs = NOON + 1_800_000;
    await ship({
      tenants: [seriesOf(atMs, many(37, 500))],
      requests: [recordOf('req_1', atMs + 100), recordOf('req_2', atMs + 200, { durationUs: 9_000 })],
    });
    const reply = await chart();
    expect(reply.overall.p99Us).toBeNull();
    expect(reply.sentence).toBe('37 served requests; p99 needs 1,000.');
    expect(reply.dots.map(({ id }) => id)).toEqual(['req_2', 'req_1']);
    expect(reply.slowest[0]).toMatchObject({ id: 'req_2', us: 9_000, slowestStage: 'store', release: 1 });
  });

  it('a minute without any report is a gap; a minute without requests is not', async () => {
    for (let atMs = NOON; atMs < NOON + 3_600_000; atMs += 10_000) {
      if (atMs >= NOON + 1_200_000 && atMs < NOON + 1_260_000) continue;
      await db.gatewayReport.create({ data: { gateway: 'gw-a', bucketAt: new Date(atMs) } });
    }
    const gaps = (await chart()).points.filter(({ gap }) => gap).map(({ atMs }) => atMs);
    expect(gaps).toEqual([0, 10, 20, 30, 40, 50].map((second) => NOON + 1_200_000 + second * 1_000));
  });

  it('marks releases from first gateway to all-live', async () => {
    await addRelease(db, 1, NOON - 86_400_000);
    await addRelease(db, 2, NOON + 60_000);
    const live = { firstLiveAt: new Date(NOON + 61_000), allLiveAt: new Date(NOON + 62_000) };
    await db.release.update({ where: { number: 2 }, data: live });
    expect((await chart()).markers).toEqual([
      {
        release: 2,
        cause: '∆2',
        isRollback: false,
        publishedMs: NOON + 60_000,
        firstMs: NOON + 61_000,
        allLiveMs: NOON + 62_000,
      },
    ]);
  });

  it('every range shows the same requests, from the width that is kept for it', async () => {
    await ship({ tenants: [seriesOf(NOON + 3_590_000, many(8, 100)), seriesOf(NOON + 3_580_000, many(2, 100))] });
    for (const range of ['15m', '1h', '6h', '24h', '7d', '30d']) {
      const reply = await chart({ range });
      expect([range, reply.requests, reply.points.reduce((sum, { requests }) => sum + requests, 0)]).toEqual([
        range,
        10,
        10,
      ]);
      expect(reply.points.length).toBeLessThanOrEqual(600);
    }
  });

  it('is for its team and for operators, security, auditors and admins', async () => {
    await expect(chart({}, stranger)).rejects.toMatchObject({ code: 'not_permitted' });
    for (const role of ['operator', 'security', 'auditor', 'admin'] as const) {
      expect((await chart({}, { id: role, roles: [role] })).tenant).toBe('chat');
    }
    await expect(chart({ tenant: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(chart({ fromMs: 5, toMs: 5 })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('index of tenants', () => {
  it('ranks by p99 against usual, or against the target, and counts what is hidden', async () => {
    const yesterday = NOON - 7_200_000;
    const lately = NOON + 3_000_000;
    await ship({
      tenants: [
        seriesOf(yesterday, many(1_000, 10_000)),
        seriesOf(yesterday, many(1_000, 10_000), { tenant: 'search' }),
      ],
    });
    await ship({
      tenants: [
        seriesOf(lately, many(1_000, 12_000)),
        seriesOf(lately, many(1_000, 40_000), { tenant: 'search' }),
        seriesOf(lately, many(1_000, 5), { outcome: 'refused' }),
      ],
    });
    const reply = await index();
    expect(reply.tenants.map(({ tenant }) => tenant)).toEqual(['search', 'chat']);
    expect(reply.tenants[1]).toMatchObject({ targetP99Ms: 50, requests: 2_000, refusedShare: 0.5 });
    expect(reply.tenants[0]?.usualP99Us).toBeCloseTo(10_000, -2);
    expect(reply.tenants[0]?.spark.filter((p99) => p99 !== null)).toHaveLength(1);
    const own = await index(ana);
    expect([own.tenants.map(({ tenant }) => tenant), own.hiddenTenants]).toEqual([['chat'], 1]);
  });

  it('tenants without traffic are listed last, without invented figures', async () => {
    expect((await index()).tenants[0]).toMatchObject({ p99Us: null, usualP99Us: null, requests: 0, refusedShare: 0 });
  });
});

describe('retention', () => {
  it('drops each width after its time and keeps the wider ones', async () => {
    await ship({ tenants: [seriesOf(NOON, many(5, 10))], requests: [recordOf('req_1', NOON)] });
    const widths = async () =>
      (await db.latencyBucket.findMany({ orderBy: { widthSeconds: 'asc' } })).map(({ widthSeconds }) => widthSeconds);
    await pruneTelemetry(db, NOON + 86_400_000);
    expect(await widths()).toEqual([10, 60, 3_600]);
    await pruneTelemetry(db, NOON + 86_400_000 + 20_000);
    expect(await widths()).toEqual([60, 3_600]);
    await pruneTelemetry(db, NOON + 8 * 86_400_000);
    expect(await widths()).toEqual([3_600]);
    expect(await db.requestRecord.count()).toBe(0);
    await pruneTelemetry(db, NOON + 91 * 86_400_000);
    expect(await widths()).toEqual([]);
  });

  it('drops a kind of refused call 90 days after the last of them, whatever its release', async () => {
    const day = 86_400_000;
    const call = { release: 1, tenant: 'chat', principal: 'search', operation: 'object.get', edgeType: '', policy: '' };
    const rest = { code: 'forbidden', requests: 3n, firstAt: new Date(NOON), requestId: 'req_1' };
    await db.refusalCount.createMany({
      data: [
        { ...call, ...rest, type: 'User', lastAt: new Date(NOON) },
        { ...call, ...rest, type: 'Message', lastAt: new Date(NOON + day) },
      ],
    });
    const left = async () => (await db.refusalCount.findMany({ orderBy: { type: 'asc' } })).map(({ type }) => type);
    await pruneTelemetry(db, NOON + 90 * day);
    expect(await left()).toEqual(['Message', 'User']);
    await pruneTelemetry(db, NOON + 91 * day);
    expect(await left()).toEqual(['Message']);
    await pruneTelemetry(db, NOON + 92 * day);
    expect(await left()).toEqual([]);
  });

  it('thins reports to one a minute, then one an hour, and a minute that had one keeps one', async () => {
    const spans = Array.from({ length: 24 }, (_, at) => ({ gateway: 'gw-a', bucketAt: new Date(NOON + at * 10_000) }));
    await db.gatewayReport.createMany({ data: spans });
    const left = async () =>
      (await db.gatewayReport.findMany({ orderBy: { bucketAt: 'asc' } })).map(
        ({ bucketAt }) => bucketAt.getTime() - NOON,
      );
    await pruneTelemetry(db, NOON + 2 * 86_400_000);
    expect(await left()).toEqual([0, 60_000, 120_000, 180_000]);
    await pruneTelemetry(db, NOON + 8 * 86_400_000);
    expect(await left()).toEqual([0]);
  });

  it('runs once an hour in one process of all', async () => {
    const first = await Promise.all(Array.from({ length: 4 }, () => pruneWhenDue(db, NOON)));
    expect(first.filter((pruned) => pruned)).toHaveLength(1);
    expect(await pruneWhenDue(db, NOON + 3_599_000)).toBe(false);
    expect(await pruneWhenDue(db, NOON + 3_600_000)).toBe(true);
  });
});
