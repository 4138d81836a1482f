import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmulatorOptions } from '#gateway/emulator/options.ts';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';
import { startConsole, type TestConsole } from '#test/gateway/fixtures/console.ts';
import { edgeType, exampleItems, makeKey, objectType, principal } from '#test/gateway/fixtures/definitions.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { caller, makeGatewayHome, type TestGateway } from '#test/gateway/fixtures/gateway.ts';
import { type Fate, type FaultyProxy, type Seen, startFaultyProxy } from '#test/support/faulty-proxy.ts';

export type Call = ReturnType<typeof caller>;
export type Reply = Awaited<ReturnType<Call>>;

/** One gateway of the fleet, whichever process runs it now. */
export interface Member {
  readonly call: Call;
  /** The same as another principal of the tenant. */
  readonly callAsOther: Call;
  /** Ends the process at once, as `kill -9` does. */
  kill(): void;
  isKilled(): boolean;
  /** Starts the next process on the same state, once the one before has ended; resolves when it serves. */
  restart(over?: Record<string, string>): Promise<void>;
  said(): string;
}

/** Two gateway processes with one fleet secret, one set of keys and one store. */
export interface Fleet {
  readonly cosmos: RunningEmulator;
  readonly console: TestConsole;
  readonly keysDir: string;
  /** Its requests to the store pass `proxy`. */
  readonly a: Member;
  readonly b: Member;
  readonly proxy: FaultyProxy;
  /** Moves the clock of the store, of both gateways and of the test. */
  moveClock(ms: number): void;
  /** Decides over the batches of `a` to this partition, in their order; what is left undecided passes. */
  decideBatches(partition: string, fateOf: (nth: number) => Fate | undefined): void;
  /** Holds the batches of `a` to this partition until they are released. */
  hold(partition: string): Held;
  stop(): Promise<void>;
}

export interface Held {
  /** Resolves when the first one has arrived. */
  reached(): Promise<void>;
  release(): void;
}

export const SHORT_TTL_MS = 1_000;
const SHORT = { cache: { ttlMs: SHORT_TTL_MS } };
/** Longer than any test takes. */
const LONG = { cache: { ttlMs: 3_600_000 } };

/** Message —author→ User is of cardinality one; pins and stars have no inverse, messages is mirrored as inConversation. Profile and its edges are cached for long, Flash for a second. */
export function fleetItems(keys: {
  readonly one: ReturnType<typeof makeKey>;
  readonly two: ReturnType<typeof makeKey>;
}) {
  const items = exampleItems(keys.one);
  items.objectType.push(objectType('User'), objectType('Profile', LONG), objectType('Flash', SHORT));
  items.edgeType.push(
    edgeType('author', 'Message', 'User', { cardinality: 'one', inverse: 'authored', maxEdges: 1 }),
    edgeType('authored', 'User', 'Message', { derivedFrom: 'author' }),
    edgeType('follows', 'Profile', 'Profile', { ...LONG, inverse: 'followedBy' }),
    edgeType('followedBy', 'Profile', 'Profile', { ...LONG, derivedFrom: 'follows' }),
    edgeType('pins', 'Conversation', 'Message'),
    edgeType('stars', 'Conversation', 'Message', { maxEdges: 3, listCap: 2 }),
  );
  items.principal.push(principal('chat-worker'));
  items.key.push(keys.two.item);
  return items;
}

const CLOCK = new URL('./moved-clock.ts', import.meta.url).href;

/** Undone in reverse. */
type Undo = (() => Promise<void> | void)[];

/** Starts both gateways on release 1, and waits until they serve it. What was started is stopped when one does not. */
export async function startFleet(
  store: Partial<EmulatorOptions> = {},
  env: Record<string, string> = {},
): Promise<Fleet> {
  const undo: Undo = [];
  const stop = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return { ...(await start(store, env, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(store: Partial<EmulatorOptions>, env: Record<string, string>, undo: Undo) {
  const keys = { one: makeKey('chat-api'), two: makeKey('chat-worker') };
  const tokens = { one: keys.one.token, two: keys.two.token };
  const dir = mkdtempSync(join(tmpdir(), 'habitat-fleet-'));
  undo.push(() => rmSync(dir, { recursive: true, force: true }));
  const clock = await startClock(join(dir, 'clock'));
  const cosmos = await startEmulator({ port: 0, partitionRuPerSecond: null, ...store, dir: join(dir, 'cosmos') });
  undo.push(() => cosmos.close());
  const proxy = await startFaultyProxy(cosmos.url);
  undo.push(() => proxy.close());
  const console = await startConsole();
  undo.push(() => console.close());
  await console.publish(fleetItems(keys));
  const home = makeGatewayHome(console, cosmos);
  undo.push(() => home.remove());
  const startNamed = (name: string, over: Record<string, string>) =>
    home.start({ ...clock.env, GATEWAY_WORKERS: '1', ...env, GATEWAY_STATE_DIR: join(home.dir, name), ...over });
  const a = await startMember((over = {}) => startNamed('a', { COSMOS_ENDPOINT: proxy.url, ...over }), tokens);
  const b = await startMember((over = {}) => startNamed('b', over), tokens);
  const { decideBatches, hold } = controlsOf(proxy);
  return {
    ...{ cosmos, console, keysDir: join(home.dir, 'keys'), a, b },
    ...{ proxy, moveClock: clock.move, decideBatches, hold },
  };
}

function controlsOf(proxy: FaultyProxy): Pick<Fleet, 'decideBatches' | 'hold'> {
  const decideBatches: Fleet['decideBatches'] = (partition, fateOf) => {
    let nth = 0;
    proxy.decide((seen) => (isBatchTo(seen, partition) ? (fateOf(nth++) ?? PASS) : PASS));
  };
  return {
    decideBatches,
    hold(partition) {
      let isReached = false;
      const released = Promise.withResolvers<void>();
      decideBatches(partition, () => {
        isReached = true;
        return { kind: 'hold', until: released.promise };
      });
      const reached = async () => void (await eventually('the batch arrives', () => isReached));
      return { reached, release: released.resolve };
    },
  };
}

async function startClock(file: string): Promise<{ readonly env: Record<string, string>; move(ms: number): void }> {
  const fd = openSync(file, 'w');
  let aheadMs = 0;
  const move = (ms: number) => {
    aheadMs += ms;
    writeSync(fd, String(aheadMs).padStart(20), 0);
  };
  move(0);
  process.env.TEST_CLOCK_FILE = file;
  await import('./moved-clock.ts');
  return { env: { NODE_OPTIONS: `--import ${CLOCK}`, TEST_CLOCK_FILE: file }, move };
}

const PASS: Fate = { kind: 'pass' };
const isBatchTo = ({ isBatch, partition }: Seen, wanted: string) => isBatch && partition === wanted;

type Start = (over?: Record<string, string>) => Promise<TestGateway>;

async function startMember(start: Start, tokens: { readonly one: string; readonly two: string }): Promise<Member> {
  let gateway = await start();
  const callWith =
    (token: string): Call =>
    (method, path, init) =>
      caller(gateway.url, token)(method, path, init);
  const call = callWith(tokens.one);
  const serves = () =>
    eventually('the gateway serves', async () => (await call('GET', '/objects/User/none')).code === 'object_not_found');
  await serves();
  return {
    call,
    callAsOther: callWith(tokens.two),
    kill: () => void gateway.process.kill('SIGKILL'),
    isKilled: () => gateway.process.killed,
    async restart(over) {
      await gateway.kill('SIGKILL');
      gateway = await start(over);
      await serves();
    },
    said: () => gateway.said(),
  };
}
