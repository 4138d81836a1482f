import { beforeEach, describe, expect, it } from 'vitest';
import { changesFor } from '#server/changes/changes-for.ts';
import { Home, Inbox, Shell } from '#server/contract/shell.ts';
import { closeItem } from '#server/home/close-item.ts';
import { homeWith } from '#server/home/home.ts';
import { inboxWith } from '#server/home/inbox.ts';
import { shellWith } from '#server/home/shell.ts';
import { readRequest } from '#server/telemetry/read-request.ts';
import { recentLatency } from '#server/telemetry/recent-latency.ts';
import { takeTelemetry } from '#server/telemetry/take-shipment.ts';
import { TenantLatencyQuery, tenantLatency } from '#server/telemetry/tenant-latency.ts';
import { addRelease, addTenant, NOON, openTestConsole, type TestPerson } from '#test/support/console.ts';
import { recordOf, seriesOf, shipmentOf } from '#test/support/shipments.ts';

const test = await openTestConsole();
const { db, clock } = test;
const ana: TestPerson = { id: 'ana', name: 'Ana Ruiz', roles: ['engineer'], teams: ['chat'] };
const bo: TestPerson = { id: 'bo', name: 'Bo Lind', roles: ['engineer'], teams: ['chat'] };
const sam: TestPerson = { id: 'sam', name: 'Sam Lee', roles: ['security'] };
const olga: TestPerson = { id: 'olga', name: 'Olga Ek', roles: ['operator'] };

const inbox = async (who: TestPerson) => Inbox.parse(await inboxWith(changesFor)(test.ctxOf(who))).items;
const home = async (who: TestPerson) => Home.parse(await homeWith({ changesFor, recentLatency })(test.ctxOf(who)));
const shell = async (who: TestPerson) => Shell.parse(await shellWith(changesFor)(test.ctxOf(who)));

async function addChange(number: number, state: string, more: { readonly voided?: boolean } = {}): Promise<void> {
  const at = new Date(NOON - number * 60_000);
  const document = { ownerTeam: 'chat', description: 'A reaction.' };
  await db.change.create({
    data: {
      number,
      title: `Change ${number}`,
      reason: '',
      state,
      authorId: 'ana',
      authorName: 'Ana Ruiz',
      createdAt: at,
      updatedAt: at,
      submittedAt: at,
      contentHash: 'h',
      edits: {
        create: {
          kind: 'objectType',
          name: 'Reaction',
          document,
          baseRevision: 0,
          version: 1,
          updatedAt: at,
          updatedById: 'ana',
          updatedByName: 'Ana Ruiz',
          writers: ['ana'],
        },
      },
    },
  });
  if (more.voided !== true) return;
  await db.review.create({
    data: {
      id: `v${number}`,
      changeNumber: number,
      reviewerId: 'bo',
      reviewerName: 'Bo Lind',
      verdict: 'approved',
      comment: '',
      at,
      self: false,
      contentHash: 'old',
      effectHash: 'old',
      covers: ['team:chat'],
      voidedAt: new Date(NOON),
    },
  });
}

const addGateway = (name: string, more: object = {}) =>
  db.gateway.create({
    data: {
      name,
      version: '0.1.0',
      url: 'http://127.0.0.1:4000',
      startedAt: new Date(NOON - 600_000),
      lastHeardAt: new Date(NOON - 1_000),
      servesEpoch: 1,
      servesNumber: 1,
      workers: [],
      auditBacklog: 0,
      storeReachable: true,
      storeMessage: 'answers',
      ...more,
    },
  });

const ackOf = (
  gateway: string,
  state: string,
  release: { number: number; sha256: string },
  reason: string | null = null,
) =>
  db.gatewayAck.create({
    data: {
      gateway,
      epoch: 1,
      number: release.number,
      sha256: release.sha256,
      state,
      at: new Date(NOON - 5_000),
      reason,
      version: '0.1.0',
    },
  });

beforeEach(async () => {
  clock.nowMs = NOON;
  await db.$executeRaw`TRUNCATE users, team, membership, change, change_edit, review, inbox_item, release, gateway, gateway_ack,
    definition, definition_revision, setting, latency_bucket, telemetry_shipment, request_record, audit_event CASCADE`;
  await db.team.create({ data: { name: 'chat', displayName: 'Chat team' } });
  for (const { id = '', name = '', roles = [], teams = [] } of [ana, bo, sam, olga]) {
    const memberships = { create: teams.map((team) => ({ team })) };
    await db.user.create({
      data: { id, issuer: 'test', subject: id, name, email: `${id}@example.test`, roles: [...roles], memberships },
    });
  }
});

describe('inbox', () => {
  it('asks the second engineer for a review, not the author, and is empty when it was given', async () => {
    await addChange(1, 'in review');
    expect(await inbox(bo)).toMatchObject([
      {
        id: 'review:1',
        kind: 'review',
        href: '/changes/1',
        text: '∆1 Change 1 · Ana Ruiz asks for a review by team chat',
        atMs: NOON - 60_000,
        closable: false,
      },
    ]);
    expect(await inbox(ana)).toEqual([]);
    expect(await inbox(sam)).toEqual([]);
    await db.change.update({ where: { number: 1 }, data: { state: 'approved' } });
    expect(await inbox(bo)).toEqual([]);
    expect(await inbox(ana)).toMatchObject([{ kind: 'change', text: '∆1 Change 1 · approved, publish it' }]);
    await db.change.update({ where: { number: 1 }, data: { state: 'published', releaseNumber: 1 } });
    expect(await inbox(ana)).toEqual([]);
  });

  it('tells the author of a voided approval, of asked work and of an outdated change', async () => {
    await addChange(1, 'draft', { voided: true });
    await addChange(2, 'needs work');
    await addChange(3, 'outdated');
    await addChange(4, 'draft');
    expect((await inbox(ana)).map(({ text }) => text)).toEqual([
      '∆1 Change 1 · the approval of Bo Lind was voided by an edit',
      expect.stringMatching(/^∆2 Change 2 · needs work\./),
      expect.stringMatching(/^∆3 Change 3 · outdated\./),
    ]);
    expect(await inbox(bo)).toEqual([]);
  });

  it('shows operators a gateway that rejected the target until it serves it', async () => {
    await addRelease(db, 1, NOON - 600_000);
    const r2 = await addRelease(db, 2, NOON - 60_000);
    await addGateway('gw-a');
    const ack = await ackOf('gw-a', 'rejected', r2, 'does not know the kind "view"');
    expect(await inbox(olga)).toMatchObject([
      {
        id: 'gateway:gw-a',
        text: 'gw-a rejected r2 and still serves r1: does not know the kind "view"',
        href: '/releases/2',
      },
    ]);
    expect(await inbox(ana)).toEqual([]);
    await db.gatewayAck.update({
      where: { gateway_epoch_number: { gateway: ack.gateway, epoch: 1, number: 2 } },
      data: { state: 'live' },
    });
    await db.gateway.update({ where: { name: 'gw-a' }, data: { servesNumber: 2 } });
    expect(await inbox(olga)).toEqual([]);
  });

  describe('a follow-up', () => {
    const close = (who: TestPerson, id = 'f1') => closeItem(test.ctxOf(who), { id });

    beforeEach(async () => {
      const text = 'Follow up: Ana revoked key hk_1 of chat-api: leaked';
      const item = {
        id: 'f1',
        kind: 'follow-up',
        role: 'security',
        text,
        href: '/principals/chat-api',
        subject: 'key:1',
      };
      await db.inboxItem.create({ data: { ...item, closable: true, at: new Date(NOON) } });
    });

    it('lies in the inbox of those it is for until one of them closes it, which the log tells once', async () => {
      expect(await inbox(sam)).toMatchObject([{ id: 'f1', kind: 'follow-up', closable: true }]);
      expect(await inbox(ana)).toEqual([]);
      await close(sam);
      await close(sam);
      expect(await inbox(sam)).toEqual([]);
      expect(await db.auditEvent.findMany()).toMatchObject([
        { did: 'closed', actor: 'Sam Lee', what: expect.stringContaining('hk_1') },
      ]);
    });

    it('is closed by nobody else', async () => {
      await expect(close(ana)).rejects.toMatchObject({ code: 'not_found' });
      await expect(close(sam, 'nothing')).rejects.toMatchObject({ code: 'not_found' });
      await expect(close(sam, 'review:1')).rejects.toMatchObject({ code: 'wrong_state' });
      await db.inboxItem.update({ where: { id: 'f1' }, data: { closable: false } });
      await expect(close(sam)).rejects.toMatchObject({ code: 'wrong_state' });
    });
  });
});

describe('shell', () => {
  it('shows the installation, the target, every gateway and what waits', async () => {
    const r1 = await addRelease(db, 1, NOON - 60_000);
    await addGateway('gw-a');
    await ackOf('gw-a', 'live', r1);
    await addGateway('gw-b', { lastHeardAt: new Date(NOON - 40_000) });
    await addChange(7, 'in review');
    expect(await shell(bo)).toEqual({
      installation: 'LOCAL',
      target: 1,
      gateways: [
        { name: 'gw-a', state: 'live', serves: 1 },
        { name: 'gw-b', state: 'silent', serves: 1 },
      ],
      inboxCount: 1,
      openChanges: 1,
      gatewayUrl: 'http://127.0.0.1:4000',
      embedded: false,
    });
  });

  it('before the first publish there is no target', async () => {
    expect(await shell(ana)).toMatchObject({ target: null, gateways: [], inboxCount: 0, openChanges: 0 });
  });
});

describe('home', () => {
  it('has nothing unusual when nothing is', async () => {
    const r1 = await addRelease(db, 1, NOON - 60_000);
    await addGateway('gw-a');
    await ackOf('gw-a', 'live', r1);
    expect(await home(ana)).toMatchObject({
      needsYou: [],
      rightNow: [],
      lately: [{ text: 'r1 · ∆1 · Ana Ruiz', href: '/releases/1' }],
    });
  });

  it('what has waited longest comes first', async () => {
    await addChange(1, 'needs work');
    await addChange(9, 'needs work');
    expect((await home(ana)).needsYou.map(({ href }) => href)).toEqual(['/changes/9', '/changes/1']);
  });

  it('says so when no gateway is connected, one is silent, or the store is out of reach', async () => {
    await addRelease(db, 1, NOON - 60_000);
    expect((await home(ana)).rightNow).toEqual([
      { text: 'r1 is not live: no gateway is connected', href: '/gateways', severity: 'error', sinceMs: NOON - 60_000 },
    ]);
    await addGateway('gw-a', { lastHeardAt: new Date(NOON - 240_000) });
    const { sha256 } = await db.release.findFirstOrThrow();
    await addGateway('gw-b', { storeReachable: false, storeMessage: 'connect refused' });
    await ackOf('gw-b', 'live', { number: 1, sha256 });
    expect((await home(ana)).rightNow.map(({ text }) => text)).toEqual([
      'gw-a has been silent for 4 min; it last served r1',
      'gw-b cannot reach the store: connect refused',
    ]);
  });

  it('tells a tenant that is slower than usual to those who may see its traffic', async () => {
    await addTenant(db, 'chat', 'chat');
    const many = (us: number) => Array<number>(1_000).fill(us);
    const tenants = [seriesOf(NOON - 7_200_000, many(31_000)), seriesOf(NOON - 600_000, many(147_000))];
    await takeTelemetry({ gateway: 'gw-a', db, nowMs: NOON }, shipmentOf(1, { tenants }));
    expect((await home(ana)).rightNow).toEqual([
      {
        text: expect.stringMatching(/^chat p99 14[67] ms \(usual 31 ms\)$/),
        href: '/latency/chat',
        severity: 'warning',
        sinceMs: expect.any(Number),
      },
    ]);
    const { rightNow } = await home(ana);
    expect(Math.abs((rightNow[0]?.sinceMs ?? 0) - (NOON - 600_000))).toBeLessThanOrEqual(60_000);
    expect((await home({ id: 'eve', teams: ['search'] })).rightNow).toEqual([]);
  });

  it('an emergency reads as one', async () => {
    await addRelease(db, 1, NOON);
    await db.release.update({
      where: { number: 1 },
      data: { emergency: true, cause: 'Emergency: revoked key hk_1 of search' },
    });
    expect((await home(ana)).lately[0]?.text).toBe('Emergency: revoked key hk_1 of search · Ana Ruiz · r1');
  });

  it('first steps tick when their trace is there, each for itself', async () => {
    await addTenant(db, 'chat', 'chat');
    const done = async (who = ana) => (await home(who)).firstSteps.filter((step) => step.done).map(({ id }) => id);
    expect(await done()).toEqual([]);
    const refused = recordOf('req_2', NOON, { code: 'forbidden', status: 403, outcome: 'refused' });
    await takeTelemetry(
      { gateway: 'gw-a', db, nowMs: NOON },
      shipmentOf(1, { tenants: [seriesOf(NOON - 10_000, [500])], requests: [recordOf('req_1', NOON), refused] }),
    );
    expect(await done()).toEqual(['send']);
    await readRequest(test.ctxOf(ana), { id: 'req_1' });
    expect(await done()).toEqual(['send', 'explain']);
    await addChange(1, 'draft');
    expect(await done()).toEqual(['send', 'explain', 'register']);
    await readRequest(test.ctxOf(ana), { id: 'req_2' });
    await tenantLatency(test.ctxOf(ana), TenantLatencyQuery.parse({ tenant: 'chat' }));
    expect(await done()).toEqual(['send', 'explain', 'register', 'refusal', 'latency']);
    const by = { at: new Date(NOON), authorId: 'ana', authorName: 'Ana Ruiz', reason: '' };
    await db.definitionRevision.create({
      data: { kind: 'objectType', name: 'Reaction', revision: 1, releaseNumber: 2, changeNumber: 1, ...by },
    });
    expect(await done()).toHaveLength(6);
    // What one person has seen, another has not.
    expect(await done(bo)).toEqual(['send', 'register', 'publish']);
  });
});
