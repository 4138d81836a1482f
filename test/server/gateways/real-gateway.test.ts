import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createAuditShipping } from '#gateway/audit/ship.ts';
import { openSpool } from '#gateway/audit/spool.ts';
import { createConsoleClient } from '#gateway/release/console-client.ts';
import { createFollower } from '#gateway/release/follow.ts';
import { ReleaseRejected } from '#gateway/release/release-rejected.ts';
import { createReleaseSource, type LoadedRelease } from '#gateway/release/source.ts';
import { createTelemetryShipping } from '#gateway/telemetry/ship.ts';
import { listAudit } from '#server/audit/list-audit.ts';
import { AuditQuery } from '#server/contract/audit.ts';
import { createListener } from '#server/db/listen.ts';
import { listGateways } from '#server/gateways/list-gateways.ts';
import { TenantLatencyQuery, tenantLatency } from '#server/telemetry/tenant-latency.ts';
import { createKey } from '#server/tenants/create-key.ts';
import { testConsole } from '#test/server/console.ts';
import { serveMachineApi } from '#test/support/serve-machine-api.ts';
import { auditRowOf, recordOf, seriesOf } from '#test/support/shipments.ts';

const home = await testConsole();
const { db, env, signer } = home;
const listener = createListener(env.databaseUrl);
const dir = mkdtempSync(join(tmpdir(), 'habitat-spool-'));
const following: { stop(): void }[] = [];
afterAll(async () => {
  for (const follower of following) follower.stop();
  await listener.close();
  rmSync(dir, { recursive: true, force: true });
});
const consoleUrl = await serveMachineApi({ env, db, signer, listener, now: Date.now });
const client = createConsoleClient({ consoleUrl, gateway: 'gw-a', token: 'gateway-token-of-the-tests' });
/** Whoever asks now, by the wall clock that the gateway runs on. */
const asking = async (userId: string) => ({ ...(await home.as(userId)), nowMs: Date.now() });

const beat = () =>
  client.post('heartbeat', {
    version: '0.1.0',
    startedAtMs: 1,
    url: 'http://127.0.0.1:4000',
    serves: null,
    workers: [],
    auditBacklog: 0,
    store: { reachable: true, message: 'answers' },
    left: false,
  });

describe("the gateway's own parts against the console's machine API", () => {
  it('a gateway follows the example, then each publish at once, and says when it rejects one', async () => {
    await beat();
    const served: LoadedRelease[] = [];
    let fault: string | null = null;
    const trust = createLocalJWKSet({ keys: [{ ...signer.publicJwk, kid: signer.kid }] });
    const lastGood = { read: () => null, write: () => undefined };
    const follower = createFollower({
      client,
      trust,
      gateway: 'gw-a',
      source: createReleaseSource({ client, trust, lastGood, nowMs: Date.now }),
      activate: async (release) => {
        if (fault !== null) throw new ReleaseRejected(fault);
        served.push(release);
        return { probesPassed: 3, parseMs: 1 };
      },
      nowMs: Date.now,
      random: Math.random,
      say: () => undefined,
    });
    await follower.start();
    following.push(follower);
    const state = async () => (await listGateways(await asking('ana'))).gateways[0];
    await expect.poll(state).toMatchObject({ state: 'live', serves: 1 });

    await createKey(await asking('ana'), { name: 'chat-api', label: 'second', expiresInDays: null });
    // Far less than the 25 s for which a manifest request is held: the publish wakes it.
    await expect.poll(state).toMatchObject({ state: 'live', serves: 2 });
    expect(served.map(({ id }) => id.number)).toEqual([1, 2]);

    fault = 'does not know the kind "view"';
    await createKey(await asking('ana'), { name: 'chat-api', label: 'third', expiresInDays: null });
    await expect.poll(state).toMatchObject({ state: 'rejected', serves: 2, reason: fault });
    const releases = await db.release.findMany({ orderBy: { number: 'asc' } });
    expect(releases.map(({ allLiveAt }) => allLiveAt !== null)).toEqual([true, true, false]);
  });

  it('telemetry that was counted is on the chart', async () => {
    const shipping = createTelemetryShipping({ boot: 'b1', client, nowMs: Date.now, say: () => undefined });
    const bucketMs = Math.floor(Date.now() / 10_000) * 10_000;
    shipping.absorb({ tenants: [seriesOf(bucketMs, [400, 500])], types: [], principals: [] });
    shipping.addRecords([recordOf('req_1', bucketMs)]);
    await shipping.flush();
    const chart = await tenantLatency(await asking('ana'), TenantLatencyQuery.parse({ tenant: 'chat', range: '15m' }));
    expect([chart.requests, chart.dots.map(({ id }) => id), shipping.lost()]).toEqual([2, ['req_1'], 0]);
  });

  it('audit rows on the spool are in the log, once', async () => {
    const stream = 'gw-a.0.b1';
    const spool = openSpool({ dir, stream, nowMs: Date.now });
    const rows = Array.from({ length: 700 }, (_, at) => auditRowOf(at + 1, Date.now(), { phase: 'read', code: null }));
    for (const { seq: _, ...draft } of rows) spool.append(draft);
    spool.close();
    const shipping = createAuditShipping({ dir, client, say: () => undefined });
    await shipping.tick();
    // A gateway that starts again does not know what was taken, and asks.
    await createAuditShipping({ dir, client, say: () => undefined }).tick();
    expect(shipping.backlog()).toBe(0);
    const page = await listAudit(await asking('sam'), AuditQuery.parse({ filter: 'did:read type:Message' }));
    expect(page.total).toBe(700);
  });
});
