import { createLocalJWKSet } from 'jose';
import { afterAll, expect } from 'vitest';
import { type ConsoleClient, createConsoleClient } from '#gateway/release/console-client.ts';
import { createFollower, type Follower } from '#gateway/release/follow.ts';
import { ReleaseRejected } from '#gateway/release/release-rejected.ts';
import { createReleaseSource } from '#gateway/release/source.ts';
import { GATEWAY_VERSION } from '#gateway/version.ts';
import type { Ctx } from '#server/context.ts';
import { createListener } from '#server/db/listen.ts';
import type { TestConsole } from '#test/server/console.ts';
import { serveMachineApi } from '#test/support/serve-machine-api.ts';

interface FleetGateway {
  readonly client: ConsoleClient;
  readonly follower: Follower;
  /** Numbers it served, in order. */
  readonly served: number[];
  /** While set, it rejects every release with this reason. */
  fault: string | null;
}

/**
 * Gateways' own followers against the console's own machine API over HTTP, on a clock that a test may push on. Only what a
 * gateway does with a release's content is left out.
 */
export async function startFleet(console: TestConsole, names: readonly string[]) {
  const { db, env, signer } = console;
  const listener = createListener(env.databaseUrl);
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  afterAll(() => listener.close());
  const consoleUrl = await serveMachineApi({ env, db, signer, listener, now });
  const gateways = new Map<string, FleetGateway>();
  afterAll(() => {
    for (const { follower } of gateways.values()) follower.stop();
  });
  const fleet = {
    gateways,
    clock,
    /** Whoever asks now, by the clock of the gateways. */
    asking: async (userId: string): Promise<Ctx> => ({ ...(await console.as(userId)), nowMs: now() }),
    of: (name: string): FleetGateway => {
      const found = gateways.get(name);
      if (found === undefined) throw new Error(`there is no gateway ${name}`);
      return found;
    },
    beat: async (...only: readonly string[]) => {
      for (const [name, { client, follower }] of gateways) {
        if (only.length > 0 && !only.includes(name)) continue;
        await client.post('heartbeat', heartbeatOf(follower));
      }
    },
    /** Stops it and starts it anew, with nothing kept. */
    restart: async (name: string) => {
      fleet.of(name).follower.stop();
      await join(name);
    },
    leave: async (name: string) => {
      const { client, follower } = fleet.of(name);
      follower.stop();
      await client.post('heartbeat', { ...heartbeatOf(follower), left: true });
      gateways.delete(name);
    },
    /** The newest release that each gateway told the console it has live. */
    serving: async () => {
      const acks = await db.gatewayAck.findMany({ where: { state: 'live' }, orderBy: { number: 'asc' } });
      const newest = new Map(acks.map(({ gateway, number }) => [gateway, number]));
      return Object.fromEntries([...gateways.keys()].map((name) => [name, newest.get(name) ?? null]));
    },
    /** Waits until each gateway has told that it serves what is named for it. */
    expectServing: (numbers: Record<string, number>) => expect.poll(fleet.serving).toEqual(numbers),
  };
  for (const name of names) await join(name);
  return fleet;

  async function join(name: string) {
    const client = createConsoleClient({ consoleUrl, gateway: name, token: 'gateway-token-of-the-tests' });
    const gateway: { served: number[]; fault: string | null } = { served: [], fault: null };
    const trust = createLocalJWKSet({ keys: [{ ...signer.publicJwk, kid: signer.kid }] });
    const lastGood = { read: () => null, write: () => undefined };
    const follower = createFollower({
      client,
      trust,
      gateway: name,
      source: createReleaseSource({ client, trust, lastGood, nowMs: now }),
      activate: async (release) => {
        if (gateway.fault !== null) throw new ReleaseRejected(gateway.fault);
        gateway.served.push(release.id.number);
        return { probesPassed: 3, parseMs: 1 };
      },
      nowMs: now,
      random: Math.random,
      say: () => undefined,
    });
    await client.post('heartbeat', heartbeatOf(follower));
    await follower.start();
    gateways.set(name, Object.assign(gateway, { client, follower }));
  }
}

function heartbeatOf(follower: Follower) {
  return {
    version: GATEWAY_VERSION,
    startedAtMs: 1,
    url: 'http://127.0.0.1:4000',
    serves: follower.serves(),
    workers: [],
    auditBacklog: 0,
    store: { reachable: true, message: 'answers' },
    left: false,
  };
}
