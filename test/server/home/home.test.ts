import { beforeEach, describe, expect, it } from 'vitest';
import { changesFor } from '#server/changes/changes-for.ts';
import { Home, Shell } from '#server/contract/shell.ts';
import { homeWith } from '#server/home/home.ts';
import { shellWith } from '#server/home/shell.ts';
import { readRequest } from '#server/telemetry/read-request.ts';
import { recentLatency } from '#server/telemetry/recent-latency.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';
import { TenantLatencyQuery, tenantLatency } from '#server/telemetry/tenant-latency.ts';
import { addRelease, addTenant, NOON, openBareConsole, type TestPerson } from '#test/support/bare-console.ts';
import { ANA, addAnswer, addChange, addGateway, BO, resetScene } from '#test/support/home-scene.ts';
import { recordOf, seriesOf, shipmentOf } from '#test/support/shipments.ts';

const test = await openBareConsole();
const { db, clock } = test;
const home = async (who: TestPerson) => Home.parse(await homeWith({ changesFor, recentLatency })(test.ctxOf(who)));
const shell = async (who: TestPerson) => Shell.parse(await shellWith(changesFor)(test.ctxOf(who)));

beforeEach(async () => {
  clock.nowMs = NOON;
  await resetScene(db);
});

describe('shell', () => {
  it('shows the installation, the target, every gateway and what waits', async () => {
    const r1 = await addRelease(db, 1, NOON - 60_000);
    await addGateway(db, 'gw-a');
    await addAnswer(db, 'gw-a', 'live', r1);
    await addGateway(db, 'gw-b', { lastHeardAt: new Date(NOON - 40_000) });
    await addChange(db, 7, 'in review');
    expect(await shell(BO)).toEqual({
      installation: 'LOCAL',
      target: 1,
      gateways: [
        { name: 'gw-a', state: 'live', serves: 1 },
        { name: 'gw-b', state: 'silent', serves: 1 },
      ],
      inboxCount: 1,
      openChanges: 1,
      cannotWrite: null,
      freeze: null,
      rolledBack: [],
      gatewayUrl: 'http://127.0.0.1:4000',
      embedded: false,
    });
  });

  it('before the first publish there is no target', async () => {
    expect(await shell(ANA)).toMatchObject({ target: null, gateways: [], inboxCount: 0, openChanges: 0 });
  });
});

describe('home', () => {
  it('has nothing unusual when nothing is', async () => {
    const r1 = await addRelease(db, 1, NOON - 60_000);
    await addGateway(db, 'gw-a');
    await addAnswer(db, 'gw-a', 'live', r1);
    expect(await home(ANA)).toMatchObject({
      needsYou: [],
      rightNow: [],
      lately: [{ text: 'r1 · ∆1 · Ana Ruiz', href: '/releases/1' }],
    });
  });

  it('what has waited longest comes first', async () => {
    await addChange(db, 1, 'needs work');
    await addChange(db, 9, 'needs work');
    expect((await home(ANA)).needsYou.map(({ href }) => href)).toEqual(['/changes/9', '/changes/1']);
  });

  it('says so when no gateway is connected, one is silent, or the store is out of reach', async () => {
    await addRelease(db, 1, NOON - 60_000);
    expect((await home(ANA)).rightNow).toEqual([
      { text: 'r1 is not live: no gateway is connected', href: '/gateways', severity: 'error', sinceMs: NOON - 60_000 },
    ]);
    await addGateway(db, 'gw-a', { lastHeardAt: new Date(NOON - 240_000) });
    const { sha256 } = await db.release.findFirstOrThrow();
    await addGateway(db, 'gw-b', { storeReachable: false, storeMessage: 'connect refused' });
    await addAnswer(db, 'gw-b', 'live', { number: 1, sha256 });
    expect((await home(ANA)).rightNow.map(({ text }) => text)).toEqual([
      'gw-a has been silent for 4 min; it last served r1',
      'gw-b cannot reach the store: connect refused',
    ]);
  });

  it('tells a tenant that is slower than usual to those who may see its traffic', async () => {
    await addTenant(db, 'chat', 'chat');
    const many = (us: number) => Array<number>(1_000).fill(us);
    const tenants = [seriesOf(NOON - 7_200_000, many(31_000)), seriesOf(NOON - 600_000, many(147_000))];
    await takeTelemetry({ gateway: 'gw-a', db, nowMs: NOON }, shipmentOf(1, { tenants }));
    expect((await home(ANA)).rightNow).toEqual([
      {
        text: expect.stringMatching(/^chat p99 14[67] ms in the last 15 min \(usual 31 ms\)$/),
        href: '/latency/chat?range=15m',
        severity: 'warning',
        sinceMs: expect.any(Number),
      },
    ]);
    const { rightNow } = await home(ANA);
    expect(Math.abs((rightNow[0]?.sinceMs ?? 0) - (NOON - 600_000))).toBeLessThanOrEqual(60_000);
    expect((await home({ id: 'eve', teams: ['search'] })).rightNow).toEqual([]);
  });

  it('names no beginning that it did not see, and says of what time a share is', async () => {
    await addTenant(db, 'chat', 'chat');
    const many = (us: number) => Array<number>(1_000).fill(us);
    const slowAllAlong = Array.from({ length: 15 }, (_, minute) =>
      seriesOf(NOON - (minute + 1) * 60_000, many(147_000)),
    );
    const tenants = [
      seriesOf(NOON - 7_200_000, many(31_000)),
      ...slowAllAlong,
      seriesOf(NOON - 120_000, Array<number>(5_000).fill(500), { outcome: 'overQuota' }),
    ];
    await takeTelemetry({ gateway: 'gw-a', db, nowMs: NOON }, shipmentOf(1, { tenants }));
    const { rightNow } = await home(ANA);
    expect(rightNow.map(({ text, sinceMs }) => [text, sinceMs])).toEqual([
      [expect.stringMatching(/ in the last 15 min \(usual 31 ms\)$/), null],
      ['chat: 25 % of 20,000 requests in the last 15 min were refused', null],
    ]);
  });

  it('an emergency reads as one', async () => {
    await addRelease(db, 1, NOON);
    await db.release.update({
      where: { number: 1 },
      data: { emergency: true, cause: 'Emergency: revoked key hk_1 of search' },
    });
    expect((await home(ANA)).lately[0]?.text).toBe('r1 · Emergency: revoked key hk_1 of search · Ana Ruiz');
  });

  it('first steps tick when their trace is there, each for itself', async () => {
    await addTenant(db, 'chat', 'chat');
    const done = async (who = ANA) => (await home(who)).firstSteps.filter((step) => step.done).map(({ id }) => id);
    expect(await done()).toEqual([]);
    const refused = recordOf('req_2', NOON, { code: 'forbidden', status: 403, outcome: 'refused' });
    await takeTelemetry(
      { gateway: 'gw-a', db, nowMs: NOON },
      shipmentOf(1, { tenants: [seriesOf(NOON - 10_000, [500])], requests: [recordOf('req_1', NOON), refused] }),
    );
    expect(await done()).toEqual(['send']);
    await readRequest(test.ctxOf(ANA), { id: 'req_1' });
    expect(await done()).toEqual(['send', 'explain']);
    await addChange(db, 1, 'draft');
    expect(await done()).toEqual(['send', 'explain', 'register']);
    await readRequest(test.ctxOf(ANA), { id: 'req_2' });
    await tenantLatency(test.ctxOf(ANA), TenantLatencyQuery.parse({ tenant: 'chat' }));
    expect(await done()).toEqual(['send', 'explain', 'register', 'refusal', 'latency']);
    const by = { at: new Date(NOON), authorId: 'ana', authorName: 'Ana Ruiz', reason: '' };
    await db.definitionRevision.create({
      data: { kind: 'objectType', name: 'Reaction', revision: 1, releaseNumber: 2, changeNumber: 1, ...by },
    });
    expect(await done()).toHaveLength(6);
    // What one person has seen, another has not.
    expect(await done(BO)).toEqual(['send', 'register', 'publish']);
  });
});
