import type { FaultEffect, FaultOperation } from '#gateway/contract/local-cosmos.ts';
import { edgeType } from '#test/gateway/fixtures/definitions.ts';
import type { Action, CommitPart, Consistency, EdgeShape } from './history.ts';
import { createRandom, type Random } from './random.ts';

/** What a seed decides: who asks what of which object, and what goes wrong meanwhile. */
export interface Plan {
  readonly seed: number;
  readonly objects: readonly PlannedObject[];
  /** One list a client, in its order. */
  readonly clients: readonly (readonly Command[])[];
  readonly troubles: readonly Trouble[];
}

export interface PlannedObject {
  readonly name: string;
  readonly home: string | null;
}

export interface Command {
  readonly object: string;
  /** `ifMatch` of a put or delete is filled in with what its client saw last. */
  readonly action: Action;
  readonly isConditional: boolean;
  readonly consistency: Consistency;
  readonly isKeyed: boolean;
  readonly gateway: string;
  readonly deadlineMs: number;
  /** Asks again when it is refused for a while; a refusal must be without effect either way. */
  readonly insists: boolean;
  /** Sent as an operation of a batch, beside one that creates an object. */
  readonly isBatched: boolean;
  /** Sends an earlier keyed write of its client once more instead; its outcome must be the same. */
  readonly repeats: boolean;
}

export type Happening =
  | {
      readonly kind: 'fault';
      readonly region: Region;
      readonly effect: FaultEffect;
      readonly percent: number;
      readonly operations: readonly FaultOperation[] | null;
    }
  | { readonly kind: 'failover'; readonly region: Region }
  | { readonly kind: 'kill'; readonly what: string };

export type Region = 'East' | 'West';

/** Begins when so many operations were asked, and a fault ends after so many more. */
export interface Trouble {
  readonly from: number;
  readonly until: number;
  readonly happening: Happening;
}

export interface PlanSize {
  readonly operationsAnObject: number;
  readonly troubles: number;
  readonly kills: readonly string[];
}

export const GATEWAYS = ['gw-a', 'gw-b'] as const;
const CLIENTS = 8;
export const TARGETS = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5'];
/** The one target that is deleted: nobody tells when each of its edges goes, and every such edge widens the search. */
const UNMADE = 'm5';
/** Rules of the edge types as a release carries them; `marks` has no inverse and a limit that is reached. */
export const EDGE_TYPES = {
  messages: edgeType('messages', 'Conversation', 'Message', { inverse: 'inConversation' }),
  inConversation: edgeType('inConversation', 'Message', 'Conversation', { derivedFrom: 'messages' }),
  pinned: edgeType('pinned', 'Conversation', 'Message', { inverse: 'pinnedIn', cardinality: 'one', maxEdges: 1 }),
  pinnedIn: edgeType('pinnedIn', 'Message', 'Conversation', { derivedFrom: 'pinned' }),
  marks: edgeType('marks', 'Conversation', 'Message', { maxEdges: 4 }),
  /** Many edges without inverses, for the long cases. */
  views: edgeType('views', 'Conversation', 'Message', { maxEdges: 1_000_000 }),
};
/** Forward edge types with their inverse. */
export const INVERSE_OF: Readonly<Record<string, string>> = { messages: 'inConversation', pinned: 'pinnedIn' };
export const SHAPES: Readonly<Record<string, EdgeShape>> = {
  messages: { cardinality: 'many', maxEdges: 100_000 },
  pinned: { cardinality: 'one', maxEdges: 1 },
  marks: { cardinality: 'many', maxEdges: 4 },
};

export function makePlan(seed: number, size: PlanSize): Plan {
  const random = createRandom(seed);
  const objects = [
    { name: 'mixed', home: null },
    { name: 'at-a', home: 'gw-a' },
    { name: 'at-b', home: 'gw-b' },
  ];
  const aClient = Math.floor((size.operationsAnObject * objects.length) / CLIENTS);
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    Array.from({ length: aClient }, (_, index) => command(random, { client, index, objects })),
  );
  const total = aClient * CLIENTS;
  const faults = Array.from({ length: size.troubles }, (_, index) => fault(random, (index * total) / size.troubles));
  const kills = size.kills.map((what, index): Trouble => {
    const from = Math.floor(((index + 0.3 + random.next() / 3) * total) / size.kills.length);
    return { from, until: from, happening: { kind: 'kill', what } };
  });
  return { seed, objects, clients, troubles: [...faults, ...kills].sort((a, b) => a.from - b.from) };
}

interface Place {
  readonly client: number;
  readonly index: number;
  readonly objects: readonly PlannedObject[];
}

/** All clients are mostly at the same object at the same time: that is where operations meet. */
function command(random: Random, { client, index, objects }: Place): Command {
  const busy = objects[Math.floor(index / 8) % objects.length];
  const object = busy !== undefined && random.chance(80) ? busy : random.one(objects);
  return {
    object: object.name,
    action: action(random, `c${client}-${index}`),
    isConditional: random.chance(30),
    consistency: random.weighted({ critical: 50, session: 35, eventual: 15 }),
    isKeyed: random.chance(55),
    gateway: object.home ?? random.one(GATEWAYS),
    deadlineMs: random.one([2_000, 2_000, 2_000, 2_000, 1_000, 500, 120, 30]),
    insists: random.chance(70),
    isBatched: random.chance(15),
    repeats: random.chance(5),
  };
}

const WEIGHTS = {
  put: 12,
  remove: 4,
  get: 13,
  link: 26,
  unlink: 11,
  move: 7,
  commit: 10,
  unmake: 2,
  count: 9,
  list: 11,
  edges: 7,
};

function action(random: Random, mark: string): Action {
  const type = random.weighted({ messages: 5, pinned: 2, marks: 4 });
  const to = random.one(TARGETS);
  const fromTarget = type in INVERSE_OF && random.chance(20) ? ({ fromTarget: true } as const) : {};
  switch (random.weighted(WEIGHTS)) {
    case 'put':
      return { op: 'object.put', mark, ...(random.chance(20) ? { ifAbsent: true } : {}) };
    case 'remove':
      return { op: 'object.delete' };
    case 'get':
      return { op: 'object.get' };
    case 'link':
      // Few different times, so that some are equal.
      return { op: 'edge.put', type, to, mark, timeMs: 1_700_000_000_000 + random.below(5), ...fromTarget };
    case 'unlink':
      return { op: 'edge.delete', type, to, ...fromTarget };
    case 'move':
      return {
        op: 'edge.changeType',
        type,
        to,
        into: random.one(Object.keys(SHAPES).filter((other) => other !== type)),
      };
    case 'commit':
      return { op: 'commit', parts: parts(random, mark) };
    case 'unmake':
      return { op: 'target.delete', to: UNMADE };
    case 'count':
      return { op: 'edge.count', type };
    case 'list':
      return { op: 'edge.list', type };
    case 'edges':
      return { op: 'edge.get', type, to: [...new Set([to, random.one(TARGETS), random.one(TARGETS)])] };
  }
}

/** Two or three, each at another item. */
function parts(random: Random, mark: string): CommitPart[] {
  const types = Object.keys(SHAPES).filter(() => random.chance(60));
  const edges = types.map((type, index): CommitPart => {
    const to = random.one(TARGETS);
    if (random.chance(25)) return { op: 'edge.delete', type, to };
    return { op: 'edge.put', type, to, mark: `${mark}.${index}`, timeMs: 1_700_000_000_000 + random.below(5) };
  });
  const object: CommitPart = { op: 'object.put', mark: `${mark}.o` };
  return edges.length === 0 || random.chance(50) ? [object, ...edges] : edges;
}

const status = (code: number, retryAfterMs: number | null): FaultEffect => ({
  ...{ kind: 'status', status: code, subStatus: code === 429 ? 3200 : 0, retryAfterMs },
});

const EFFECTS: readonly FaultEffect[] = [
  { kind: 'refuse' },
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'slow', delayMs: 100, perQueuedMs: 1 },
  status(503, null),
  status(429, 5),
  status(449, 5),
  status(410, null),
  status(408, null),
  { kind: 'batchStatus', status: 449, index: 1, retryAfterMs: 5 },
  { kind: 'html', status: 502 },
  { kind: 'commitThenReset' },
  { kind: 'commitThenReset' },
  { kind: 'delayedDelivery', delayMs: 150 },
  { kind: 'delayedDelivery', delayMs: 40 },
  { kind: 'lag', lagMs: null },
  { kind: 'lag', lagMs: 80 },
  { kind: 'replicaLag', lagMs: 120, replicas: 2 },
];
const DATA: readonly FaultOperation[] = ['read', 'query', 'write', 'batch'];
/** Faults that meet connections or views instead of single requests. */
const WHOLE = ['refuse', 'lag', 'replicaLag'];

function fault(random: Random, at: number): Trouble {
  const from = Math.floor(at + random.below(20));
  const region = random.one(['East', 'West'] as const);
  if (random.chance(15)) return { from, until: from, happening: { kind: 'failover', region } };
  const effect = random.one(EFFECTS);
  const isWhole = WHOLE.includes(effect.kind);
  const percent = isWhole ? 100 : random.one([10, 25, 50, 100]);
  const operations = isWhole ? null : effect.kind === 'batchStatus' ? (['batch'] as const) : DATA;
  const until = from + 10 + random.below(40);
  return { from, until, happening: { kind: 'fault', region, effect, percent, operations } };
}
