import { createLocalJWKSet } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConsoleClient } from '#gateway/release/console-client.ts';
import { createFollower, type Follower } from '#gateway/release/follow.ts';
import type { ReleaseBytes } from '#gateway/release/last-good.ts';
import { ReleaseRejected } from '#gateway/release/release-rejected.ts';
import { createReleaseSource, type LoadedRelease } from '#gateway/release/source.ts';
import { GATEWAY_NAME, GATEWAY_TOKEN, startConsole, type TestConsole } from '#test/gateway/fixtures/console.ts';
import { exampleItems, makeKey } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';

const items = exampleItems(makeKey('chat-api'));
let console_: TestConsole;
let follower: Follower | null = null;
const clock = { nowMs: 0 };

beforeEach(async () => {
  console_ = await startConsole();
  clock.nowMs = Date.now();
});
afterEach(async () => {
  follower?.stop();
  await console_.close();
});

interface Over {
  readonly trust?: string;
  readonly kept?: ReleaseBytes[];
  readonly probes?: number;
  readonly activate?: (release: LoadedRelease) => void;
}

function follow(over: Over = {}) {
  const kept = over.kept ?? [];
  const client = createConsoleClient({ consoleUrl: console_.url, gateway: GATEWAY_NAME, token: GATEWAY_TOKEN });
  const trust = createLocalJWKSet(JSON.parse(over.trust ?? console_.trust));
  const lastGood = { read: () => kept.at(-1) ?? null, write: (bytes: ReleaseBytes) => void kept.push(bytes) };
  follower = createFollower({
    client,
    trust,
    gateway: GATEWAY_NAME,
    source: createReleaseSource({ client, trust, lastGood, nowMs: () => clock.nowMs }),
    activate: async (release) => {
      over.activate?.(release);
      return { probesPassed: over.probes ?? 0, parseMs: 0 };
    },
    nowMs: () => clock.nowMs,
    random: () => 0.5,
    say: () => {},
  });
  return { kept, started: follower.start(), follower };
}

const statesOf = (number: number) =>
  console_.acks.filter(({ release }) => release.number === number).map(({ result }) => result.state);

test('a rejected release is tried again after 30 s, not before, and is live once it can be served', async () => {
  let isMended = false;
  let tries = 0;
  await console_.publish(items);
  const { kept, started } = follow({
    activate: () => {
      tries += 1;
      if (!isMended) throw new ReleaseRejected('Not yet.');
    },
  });
  await started;
  await eventually('it is rejected', () => statesOf(1).at(-1) === 'rejected');
  isMended = true;
  await askAgain();
  await eventually('the gateway waits again', () => console_.polls() === 1);
  expect([tries, kept.length]).toEqual([1, 0]);
  clock.nowMs += 31_000;
  await askAgain();
  await eventually('it is live', () => statesOf(1).at(-1) === 'live');
  expect([tries, kept.length]).toEqual([2, 1]);
});

/** Ends the poll that the gateway waits in, so that it asks anew. */
async function askAgain(): Promise<void> {
  await console_.close();
  await console_.open();
}

test('a manifest signed by nobody trusted is rejected with its reason, and nothing is fetched', async () => {
  const other = await startConsole();
  await console_.publish(items);
  let activated = 0;
  await follow({ trust: other.trust, activate: () => activated++ }).started;
  const ack = await eventually('it is rejected', () => console_.acks.find(({ result }) => result.state === 'rejected'));
  expect(ack.result).toMatchObject({ reason: expect.stringMatching(/signature of the manifest does not hold/) });
  expect(activated).toBe(0);
  await other.close();
});

test('an answer that the console could not take is sent again', async () => {
  await console_.publish(items);
  const { follower: own, started } = follow({ activate: () => void console_.close() });
  await started;
  await eventually('it serves r1', () => own.serves()?.number === 1);
  await console_.open();
  await eventually('the console hears of it', async () => {
    await own.retryAck();
    return statesOf(1).at(-1) === 'live';
  });
});

test('after a restart the console hears how the kept release came to be served, probes included', async () => {
  await console_.publish(items);
  const first = follow({});
  await first.started;
  await eventually('r1 is live', () => statesOf(1).at(-1) === 'live');
  first.follower.stop();
  console_.acks.length = 0;
  const second = follow({ kept: first.kept, probes: 7 });
  await second.started;
  const ack = await eventually('it is told again', () => console_.acks.find(({ result }) => result.state === 'live'));
  expect(ack.result).toMatchObject({ probesPassed: 7 });
});
