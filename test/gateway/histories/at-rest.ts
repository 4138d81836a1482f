import { CosmosClient } from '@azure/cosmos';
import { z } from 'zod';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { INVERSE_OF, SHAPES } from './plan.ts';
import type { World } from './world.ts';

const Stored = z.looseObject({
  id: z.string(),
  w: z.string().optional(),
  done: z.boolean().optional(),
  dead: z.boolean().optional(),
  swept: z.boolean().optional(),
  state: z.string().optional(),
  n: z.record(z.string(), z.int()).optional(),
  type: z.string().optional(),
  to: z.string().optional(),
  r: z.int().optional(),
  bytes: z.int().optional(),
});
type Stored = z.infer<typeof Stored>;

/** Outbox entries are applied by the gateways themselves, within a few seconds of quiet. */
const DRAIN_WITHIN_MS = 180_000;

/** Waits until no outbox entry of these objects is open, then says what does not agree in what is stored. */
export async function problemsAtRest(
  world: World,
  ids: { objects: readonly string[]; targets: readonly string[] },
): Promise<string[]> {
  const client = new CosmosClient({ endpoint: world.cosmos.url, key: world.cosmos.key });
  const container = client.database('habitat').container('main');
  const itemsOf = async (type: string, id: string): Promise<Stored[]> => {
    const partitionKey = `chat|${type}|${id}`;
    const { resources } = await container.items.query<unknown>('SELECT * FROM c', { partitionKey }).fetchAll();
    return resources.map((item) => Stored.parse(item));
  };
  const readAll = async () => ({
    objects: await readPartitions(ids.objects, (id) => itemsOf('Conversation', id)),
    targets: await readPartitions(ids.targets, (id) => itemsOf('Message', id)),
  });
  try {
    await eventually('no outbox entry is open', async () => !openEntries(await readAll()), DRAIN_WITHIN_MS);
  } catch {
    return [`outbox entries stay open: ${openEntries(await readAll())}`];
  }
  const stored = await readAll();
  client.dispose();
  return [
    ...[...stored.objects, ...stored.targets].flatMap(([id, items]) => [
      ...countProblems(id, items),
      ...byteProblems(id, items),
    ]),
    ...inverseProblems(stored),
  ];
}

type Partitions = readonly (readonly [string, readonly Stored[]])[];

interface AllStored {
  readonly objects: Partitions;
  readonly targets: Partitions;
}

async function readPartitions(ids: readonly string[], read: (id: string) => Promise<Stored[]>): Promise<Partitions> {
  return Promise.all(ids.map(async (id) => [id, await read(id)] as const));
}

/** Their ids; empty when there are none. */
function openEntries({ objects, targets }: AllStored): string {
  const open = [...objects, ...targets].flatMap(([partition, items]) =>
    items.filter(({ id, done }) => id.startsWith('x~') && done !== true).map(({ id }) => `${id} of ${partition}`),
  );
  return open.join(', ');
}

const isLiveEdge = ({ id, dead }: Stored) => id.startsWith('e~') && dead !== true;

/** Count = edges, for every edge type that either knows; nothing is left half deleted. */
function countProblems(id: string, items: readonly Stored[]): string[] {
  const head = items.find((item) => item.id === 'h');
  const problems: string[] = [];
  if (head?.state === 'closing') problems.push(`${id} is still closing`);
  if (items.some((item) => item.id === 'o' && item.dead === true && item.swept !== true))
    problems.push(`${id} is not swept`);
  const live = items.filter(isLiveEdge);
  const types = new Set([...Object.keys(head?.n ?? {}), ...live.map(({ type }) => String(type))]);
  for (const type of types) {
    const edges = live.filter((item) => item.type === type).length;
    const count = head?.n?.[type] ?? 0;
    if (edges !== count) problems.push(`${id} counts ${count} ${type} and has ${edges}`);
    if (SHAPES[type]?.cardinality === 'one' && edges > 1) problems.push(`${id} has ${edges} ${type}`);
  }
  return problems;
}

/**
 * The head's bytes are all that edges, tombstones and outbox entries take; what expired or was marked done since may be
 * counted still. Of the records of keyed writes only those of writes that touch the head are counted.
 */
function byteProblems(id: string, items: readonly Stored[]): string[] {
  const counted = items.find((item) => item.id === 'h')?.bytes ?? 0;
  const held = items.filter((item) => /^[ex]~/.test(item.id)).reduce((sum, item) => sum + bytesOf(item), 0);
  return counted < held ? [`${id} counts ${counted} bytes, its edges and entries take ${held}`] : [];
}

/** As an item is stored, without the fields that Cosmos adds. */
function bytesOf(item: Stored): number {
  const own = Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('_')));
  return Buffer.byteLength(JSON.stringify(own));
}

/** Every live edge has its mirror image with the same revision, and no inverse is without its forward edge. */
function inverseProblems({ objects, targets }: AllStored): string[] {
  const forward = objects.flatMap(([from, items]) =>
    items
      .filter(isLiveEdge)
      .filter(({ type }) => String(type) in INVERSE_OF)
      .map(({ type, to, r }) => `${from} ${INVERSE_OF[String(type)]} ${to} at ${r}`),
  );
  const inverse = targets.flatMap(([to, items]) =>
    items.filter(isLiveEdge).map((item) => `${item.to} ${item.type} ${to} at ${item.r}`),
  );
  const missing = forward.filter((pair) => !inverse.includes(pair)).map((pair) => `no inverse of ${pair}`);
  const extra = inverse.filter((pair) => !forward.includes(pair)).map((pair) => `an inverse without its edge: ${pair}`);
  return [...missing, ...extra];
}
