import { createHash } from 'node:crypto';
import { compactVerify, importJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Ack, Heartbeat, MANIFEST_WAIT_MS, ManifestStatement } from '#gateway/contract/machine-api.ts';
import { moveOn } from '#server/changes/move-on.ts';
import { notify } from '#server/db/notify.ts';
import { awaitManifest } from '#server/gateways/await-manifest.ts';
import { listGateways } from '#server/gateways/list-gateways.ts';
import { takeAckWith } from '#server/gateways/take-ack.ts';
import { takeHeartbeatWith } from '#server/gateways/take-heartbeat.ts';
import { addRelease, NOON, openBareConsole } from '#test/support/bare-console.ts';
import { callMachine } from '#test/support/machine.ts';
import { storeRegion } from '#test/support/store-region.ts';

const test = await openBareConsole();
const { db, clock } = test;
const Nothing = z.object({});

const manifest = (more: Partial<Parameters<typeof callMachine>[1]> = {}) =>
  callMachine(test, { schema: Nothing, verb: awaitManifest, ...more });

const beat = (more: Partial<z.input<typeof Heartbeat>> = {}, gateway = 'gw-a') =>
  callMachine(test, {
    schema: Heartbeat,
    verb: takeHeartbeatWith(moveOn),
    gateway,
    body: {
      version: '0.1.0',
      startedAtMs: NOON - 60_000,
      url: 'http://127.0.0.1:4000',
      serves: null,
      workers: [{ worker: 0, inFlight: 1, loopDelayP99Ms: 1.5, loopDelayMaxMs: 3 }],
      auditBacklog: 0,
      store: { reachable: true, message: 'answers' },
      left: false,
      ...more,
    },
  });

const ack = (release: object, result: object, gateway = 'gw-a') =>
  callMachine(test, { schema: Ack, verb: takeAckWith(moveOn), gateway, body: { release, result, version: '0.1.0' } });

const LIVE = { state: 'live', durationMs: 120, parseMs: 20, probesPassed: 4 };

beforeEach(async () => {
  clock.nowMs = NOON;
  await db.$executeRaw`TRUNCATE gateway, gateway_ack, gateway_report, release, audit_event`;
});

describe('who may call the machine API', () => {
  it('refuses a stranger, a wrong token and a session without a token', async () => {
    expect((await manifest({ token: 'x'.repeat(43) })).status).toBe(401);
    expect((await manifest({ headers: { Authorization: '' } })).status).toBe(401);
    const reply = await manifest({ headers: { Authorization: '', Cookie: 'next-auth.session-token=abc' } });
    expect(await reply.json()).toMatchObject({ error: { code: 'not_signed_in' } });
  });

  it.each([
    ['revoked', { revokedAt: new Date(NOON - 1) }],
    ['expired', { expiresAt: new Date(NOON) }],
    ['of another scope', { scope: 'ci' }],
  ])('refuses a token that is %s', async (_, data) => {
    const secret = 'another secret of the test, long';
    const secretSha256 = createHash('sha256').update(secret).digest('hex');
    const row = { id: 'other', name: 'other', scope: 'gateway', secretSha256, createdAt: new Date(NOON), ...data };
    await db.machineToken.create({ data: row });
    expect((await manifest({ token: secret.replaceAll(' ', '') })).status).toBe(401);
    await db.machineToken.delete({ where: { id: 'other' } });
  });

  it('notes when the token was used last', async () => {
    await beat();
    const token = await db.machineToken.findUniqueOrThrow({ where: { id: 'gateways' } });
    expect(token.lastUsedAt?.getTime()).toBe(NOON);
  });

  it('refuses a gateway that does not name itself, and a body that is none', async () => {
    expect((await manifest({ gateway: 'Not%20a%20name' })).status).toBe(400);
    const reply = await callMachine(test, { schema: Heartbeat, verb: takeHeartbeatWith(moveOn), body: { version: 1 } });
    expect(await reply.json()).toMatchObject({ error: { code: 'invalid_input' } });
  });
});

describe('manifest', () => {
  it('is signed by the console and names the target and the gateway', async () => {
    const target = await addRelease(db, 1, NOON);
    const reply = await manifest();
    expect(reply.headers.get('etag')).toBe(`"${target.sha256}"`);
    const key = await importJWK(test.installation.signer.publicJwk, 'EdDSA');
    const { payload, protectedHeader } = await compactVerify(await reply.text(), key);
    expect(protectedHeader.kid).toBe(test.installation.signer.kid);
    expect(ManifestStatement.parse(JSON.parse(new TextDecoder().decode(payload)))).toEqual({
      gateway: 'gw-a',
      target,
      timeMs: NOON,
    });
  });

  it('is held while nothing changes, and answers when the wait is over: 204 before the first publish, 304 after', async () => {
    clock.nowMs = NOON;
    // The clock passes the wait as soon as the request looks at it a second time.
    const late = { ...test, installation: { ...test.installation, now: ticking(2 * MANIFEST_WAIT_MS) } };
    const held = { schema: Nothing, verb: awaitManifest };
    expect((await callMachine(late, held)).status).toBe(204);
    const { sha256 } = await addRelease(db, 1, NOON);
    const again = { ...held, headers: { 'If-None-Match': `"${sha256}"` } };
    const late2 = { ...test, installation: { ...test.installation, now: ticking(2 * MANIFEST_WAIT_MS) } };
    expect((await callMachine(late2, again)).status).toBe(304);
  });

  it('a held request is answered by a publish', async () => {
    const first = await addRelease(db, 1, NOON);
    const held = manifest({ headers: { 'If-None-Match': `"${first.sha256}"` } });
    let answered = false;
    void held.then(() => {
      answered = true;
    });
    await expect.poll(() => test.listener.isConnected()).toBe(true);
    expect(answered).toBe(false);
    const second = await addRelease(db, 2, NOON);
    await notify(db, 'releases');
    const reply = await held;
    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).toBe(`"${second.sha256}"`);
  });

  it('lets go of a request whose gateway hung up', async () => {
    const { sha256 } = await addRelease(db, 1, NOON);
    const abort = new AbortController();
    const held = manifest({ headers: { 'If-None-Match': `"${sha256}"` }, signal: abort.signal });
    abort.abort();
    expect((await held).status).toBe(304);
  });
});

describe('regions of the store', () => {
  it('are kept as the newest heartbeat tells them, and listed with the gateway', async () => {
    const regions = [storeRegion('East', { takesWrites: true }), storeRegion('West', { breaker: 'open' })];
    await beat({ store: { reachable: true, message: 'West is away', regions } });
    expect(await listGateways(test.ctxOf({}))).toMatchObject({ gateways: [{ storeRegions: regions }] });
    await beat({ store: { reachable: true, message: 'answers', regions: regions.slice(0, 1) } });
    expect((await listGateways(test.ctxOf({}))).gateways[0]?.storeRegions).toEqual(regions.slice(0, 1));
  });

  it('are none from a gateway that does not tell them', async () => {
    await beat();
    expect((await listGateways(test.ctxOf({}))).gateways[0]?.storeRegions).toEqual([]);
  });
});

describe('acks', () => {
  it('a gateway that answers live is live on the target, and the log tells it once', async () => {
    const r1 = await addRelease(db, 1, NOON - 2_000);
    await beat();
    expect((await ack(r1, { state: 'applying' })).status).toBe(200);
    expect(await listGateways(test.ctxOf({}))).toMatchObject({
      target: 1,
      gateways: [{ state: 'applying', serves: null }],
    });
    await ack(r1, LIVE);
    clock.nowMs += 60_000;
    await beat({ serves: { epoch: 1, number: 1 } });
    // A restart on the kept release does not overwrite what the first answer said.
    await ack(r1, { ...LIVE, durationMs: 1, probesPassed: 0 });
    expect(await db.gatewayAck.findMany()).toMatchObject([{ at: new Date(NOON), durationMs: 120, probesPassed: 4 }]);
    expect(await listGateways(test.ctxOf({}))).toMatchObject({
      gateways: [{ name: 'gw-a', state: 'live', serves: 1 }],
    });
    const events = await db.auditEvent.findMany();
    expect(events).toMatchObject([{ actor: 'gw-a', actorKind: 'gateway', did: 'made live', what: 'r1', release: 1 }]);
    const release = await db.release.findUniqueOrThrow({ where: { number: 1 } });
    expect([release.firstLiveAt?.getTime(), release.allLiveAt?.getTime()]).toEqual([NOON, NOON]);
  });

  it('a rejection keeps the old release serving and its reason is shown', async () => {
    const r1 = await addRelease(db, 1, NOON - 60_000);
    await beat({ serves: { epoch: 1, number: 1 } });
    await ack(r1, LIVE);
    const r2 = await addRelease(db, 2, NOON);
    await ack(r2, { state: 'rejected', reason: 'does not know the kind "view"' });
    await ack(r2, { state: 'rejected', reason: 'does not know the kind "view"' });
    expect(await listGateways(test.ctxOf({}))).toMatchObject({
      target: 2,
      gateways: [{ state: 'rejected', serves: 1, reason: 'does not know the kind "view"' }],
    });
    expect(await db.auditEvent.count({ where: { did: 'rejected' } })).toBe(1);
    expect((await db.release.findUniqueOrThrow({ where: { number: 2 } })).firstLiveAt).toBeNull();
  });

  it('a release is all-live when the last gateway has it, or leaves', async () => {
    const r1 = await addRelease(db, 1, NOON);
    await beat({}, 'gw-a');
    await beat({}, 'gw-b');
    await ack(r1, LIVE, 'gw-a');
    const read = () => db.release.findUniqueOrThrow({ where: { number: 1 } });
    expect(await read()).toMatchObject({ firstLiveAt: new Date(NOON), allLiveAt: null });
    clock.nowMs += 3_000;
    await beat({ left: true }, 'gw-b');
    expect((await read()).allLiveAt).toEqual(new Date(NOON + 3_000));
  });

  it('an answer to a release that was never published is refused', async () => {
    const r1 = await addRelease(db, 1, NOON);
    expect((await ack({ ...r1, number: 2 }, LIVE)).status).toBe(404);
    expect((await ack({ ...r1, sha256: '0'.repeat(64) }, LIVE)).status).toBe(404);
    expect(await db.gatewayAck.count()).toBe(0);
  });
});

describe('heartbeats', () => {
  it('count the gateways that share fleet-wide quotas', async () => {
    expect(await (await beat({}, 'gw-a')).json()).toEqual({ liveGateways: 1 });
    expect(await (await beat({}, 'gw-b')).json()).toEqual({ liveGateways: 2 });
    expect(await (await beat({ left: true }, 'gw-b')).json()).toEqual({ liveGateways: 1 });
    clock.nowMs += 31_000;
    expect(await (await beat({}, 'gw-c')).json()).toEqual({ liveGateways: 1 });
  });

  it('a gateway is silent after 30 s without one, whatever it served', async () => {
    const r1 = await addRelease(db, 1, NOON);
    await beat({ serves: { epoch: 1, number: 1 } });
    await ack(r1, LIVE);
    clock.nowMs += 30_001;
    expect(await listGateways(test.ctxOf({}))).toMatchObject({ gateways: [{ state: 'silent' }] });
  });

  it('one written before a swap and heard after its ack does not take the gateway back', async () => {
    const r1 = await addRelease(db, 1, NOON);
    await beat();
    await ack(r1, LIVE);
    await beat({ serves: null });
    expect(await listGateways(test.ctxOf({}))).toMatchObject({ gateways: [{ state: 'live', serves: 1 }] });
    const r2 = await addRelease(db, 2, NOON);
    await ack(r2, LIVE);
    await beat({ serves: { epoch: 1, number: 1 } });
    expect(await listGateways(test.ctxOf({}))).toMatchObject({ gateways: [{ state: 'live', serves: 2 }] });
    // A new start really serves what it says.
    await beat({ serves: { epoch: 1, number: 1 }, startedAtMs: NOON });
    expect(await listGateways(test.ctxOf({}))).toMatchObject({ gateways: [{ serves: 1 }] });
  });

  it('a gateway that drained is gone until it comes back', async () => {
    await beat({ left: true });
    expect((await listGateways(test.ctxOf({}))).gateways).toEqual([]);
    await beat();
    expect((await listGateways(test.ctxOf({}))).gateways).toHaveLength(1);
  });

  it('mark the ten seconds in which they came', async () => {
    await beat();
    clock.nowMs += 5_000;
    await beat();
    clock.nowMs += 5_000;
    await beat();
    const reports = await db.gatewayReport.findMany({ orderBy: { bucketAt: 'asc' } });
    expect(reports.map(({ bucketAt }) => bucketAt.getTime())).toEqual([NOON, NOON + 10_000]);
  });
});

/** A clock that stands still once, then is `byMs` later. */
function ticking(byMs: number): () => number {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1 ? NOON : NOON + byMs;
  };
}
