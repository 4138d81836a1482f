import { Agent } from 'undici';
import { type Gateway, startWorld, type World } from '#test/bench/cost/world.ts';
import { createRandom, pickFromCdf } from '#test/bench/lib/random.ts';
import { edgeType, type Items } from '#test/gateway/fixtures/definitions.ts';
import { loadEdges } from '#test/gateway/store/load-edges.ts';
import { send } from './drive.ts';
import type { Stored } from './shots.ts';

/** A gateway over the local endpoint with objects and edges in it, and connections to it. */
export interface Scene {
  readonly world: World;
  readonly gateway: Gateway;
  readonly stored: Stored;
  readonly agent: Agent;
  stop(): Promise<void>;
}

export const SEED = 20_130_626;
const OBJECTS = 400;
const SOURCES = 200;
/** The largest of the published degrees would take hours to store; they hold a third of all edges and few requests. */
const MOST_EDGES = 1_500;
const CONNECTIONS = 64;
const A_BATCH = 100;

export async function startScene(
  outDegree: readonly (readonly [number, number])[],
  { bytes, cached }: { readonly bytes: number; readonly cached: boolean },
): Promise<Scene> {
  const world = await startWorld((items) => (cached ? keepAll(withPinned(items)) : withPinned(items)));
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const gateway = await world.gateway({ COSMOS_ENDPOINT: world.cosmosUrl });
  const random = createRandom(SEED);
  const degrees = Array.from({ length: SOURCES }, () => Math.min(MOST_EDGES, pickFromCdf(outDegree, random)));
  await putObjects(gateway, { agent, token: world.tokens.reader, bytes });
  const cosmos = { url: world.cosmosUrl, key: world.upstream.key };
  for (const [source, degree] of degrees.entries()) {
    const targets = Array.from({ length: degree }, (_, at) => `t${at}`);
    if (degree > 0) await loadEdges(cosmos, { from: `s${source}`, edgeType: 'messages', targets, timeOf: (at) => at });
  }
  return {
    ...{ world, gateway, agent, stored: { objects: OBJECTS, degrees } },
    async stop() {
      await agent.close();
      await world.stop();
    },
  };
}

/** A second edge type with the ends of the first, for edges that change their type. */
function withPinned(items: Items): Items {
  return { ...items, edgeType: [...items.edgeType, edgeType('pinned', 'Conversation', 'Message')] };
}

/** Gateways keep what they read of every type for a minute. */
function keepAll(items: Items): Items {
  const keep = (type: Record<string, unknown>) => ({ ...type, cache: { ttlMs: 60_000 } });
  return { ...items, objectType: items.objectType.map(keep), edgeType: items.edgeType.map(keep) };
}

async function putObjects(
  gateway: Gateway,
  { agent, token, bytes }: { readonly agent: Agent; readonly token: string; readonly bytes: number },
): Promise<void> {
  for (let from = 0; from < OBJECTS; from += A_BATCH) {
    const operations = Array.from({ length: A_BATCH }, (_, at) => ({
      ...{ op: 'object.put', type: 'Message', id: `b${from + at}` },
      json: { t: 'x'.repeat(bytes) },
    }));
    const shot = {
      operation: 'write_txn',
      method: 'POST',
      path: '/v1/chat/batch',
      body: JSON.stringify({ operations }),
    } as const;
    const { told } = await send(shot, performance.now(), { url: gateway.url, token, agent });
    if (told !== 'served') throw new Error(`Seeding was told ${told}.`);
  }
}
