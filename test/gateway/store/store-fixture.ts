import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContent } from '#gateway/content/create-content.ts';
import { EdgeTypeName, ObjectId, ObjectTypeName, TenantName } from '#gateway/contract/ids.ts';
import type { AttemptRecord } from '#gateway/contract/telemetry.ts';
import { type RunningEmulator, startEmulator } from '#gateway/emulator/start.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';
import type {
  ContentPort,
  EdgeRule,
  ObjectKey,
  StoreAnswer,
  StoreReply,
  WriteCall,
} from '#gateway/pipeline/store-port.ts';
import { createStore, type Store } from '#gateway/store/create-store.ts';
import type { PointLane } from '#gateway/store/points/point-reads.ts';

export interface Fixture {
  readonly emulator: RunningEmulator;
  readonly dataDir: string;
  readonly keysDir: string;
  readonly content: ContentPort;
  readonly store: Store;
  /** Another gateway over the same account and keys; `endpoint` puts something in between. */
  another(endpoint?: string, pointReads?: PointLane, clock?: () => number): Store;
  stop(): Promise<void>;
}

/** The local Cosmos endpoint on a free port over an empty folder, and a store in front of it. */
export async function startFixture(now: () => number = Date.now): Promise<Fixture> {
  const root = await mkdtemp(join(tmpdir(), 'habitat-store-'));
  const dataDir = join(root, 'cosmos');
  const keysDir = join(root, 'keys');
  const emulator = await startEmulator({ port: 0, dir: dataDir });
  const content = createContent({ keysDir, now });
  const credential = { kind: 'key', key: emulator.key } as const;
  const opened: Store[] = [];
  const another = (endpoint = emulator.url, pointReads: PointLane = 'rest', clock = now) => {
    // The account names its own endpoint; what was put in between must stay in between.
    const reach = () => endpoint;
    const store = createStore({ endpoint, reach, credential, content, clock: { now: clock }, pointReads });
    opened.push(store);
    return store;
  };
  return {
    emulator,
    dataDir,
    keysDir,
    content,
    store: another(),
    another,
    async stop() {
      await Promise.all(opened.map((store) => store.close()));
      await emulator.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export const tenant = TenantName.parse('chat');

export function keyOf(type: string, id: string): ObjectKey {
  return { tenant, type: ObjectTypeName.parse(type), id: ObjectId.parse(id) };
}

export const idOf = (id: string) => ObjectId.parse(id);

/** Conversation —messages→ Message, without an inverse. */
export const messages: EdgeRule = {
  edgeType: EdgeTypeName.parse('messages'),
  from: ObjectTypeName.parse('Conversation'),
  to: ObjectTypeName.parse('Message'),
  cardinality: 'many',
  maxEdges: 50_000,
  inverse: null,
  derivedFrom: null,
  forward: null,
};

/** User —memberOf→ Conversation, mirrored as Conversation —members→ User. */
export const memberOf: EdgeRule = {
  ...messages,
  edgeType: EdgeTypeName.parse('memberOf'),
  from: ObjectTypeName.parse('User'),
  to: ObjectTypeName.parse('Conversation'),
  inverse: EdgeTypeName.parse('members'),
};

export const members: EdgeRule = inverseOf(memberOf);

/** Message —author→ User, one author each, mirrored as User —authored→ Message. */
export const author: EdgeRule = {
  ...messages,
  edgeType: EdgeTypeName.parse('author'),
  from: ObjectTypeName.parse('Message'),
  to: ObjectTypeName.parse('User'),
  cardinality: 'one',
  inverse: EdgeTypeName.parse('authored'),
};

export const authored: EdgeRule = inverseOf(author);

function inverseOf(forward: EdgeRule): EdgeRule {
  if (forward.inverse === null) throw new Error('no inverse');
  return {
    ...forward,
    edgeType: forward.inverse,
    from: forward.to,
    to: forward.from,
    cardinality: 'many',
    inverse: null,
    derivedFrom: forward.edgeType,
    forward,
  };
}

let requests = 0;

/** What every call carries; `attempts` is what the store charged for it. */
export function newCall(change: Partial<WriteCall> = {}): WriteCall & { readonly attempts: AttemptRecord[] } {
  const attempts: AttemptRecord[] = [];
  requests += 1;
  return {
    requestId: `test-${requests}`,
    deadlineAtMs: Date.now() + 60_000,
    consistency: 'session',
    session: [],
    idempotency: null,
    meter: { add: (attempt) => attempts.push(attempt) },
    attempts,
    ...change,
  };
}

export function keyed(key: string, body = 'body', principal = 'service-a'): Partial<WriteCall> {
  return { idempotency: { principal, key, requestSha256: body } };
}

/** The reply's value; a refusal fails the test with its code. */
export async function servedBy<T>(answer: StoreAnswer<T>): Promise<T> {
  return (await replyOf(answer)).value;
}

export async function replyOf<T>(answer: StoreAnswer<T>): Promise<StoreReply<T>> {
  const reply = await answer;
  if (isDenial(reply)) throw new Error(`refused: ${reply.code}: ${reply.message}`);
  return reply;
}

/** The code that a call was refused with, or `served`. */
export async function codeOf(answer: object): Promise<string> {
  const reply = await answer;
  return isDenial(reply) ? reply.code : 'served';
}
