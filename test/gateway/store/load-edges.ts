import { CosmosClient, type JSONObject, type OperationInput } from '@azure/cosmos';
import { EdgeTypeName, ObjectId } from '#gateway/contract/ids.ts';
import { storedBytes } from '#gateway/store/layout/items.ts';
import { HEAD_ID, manyEdgeItemId } from '#gateway/store/layout/keys.ts';
import { sortString } from '#gateway/store/layout/sort-string.ts';

export interface EdgesToLoad {
  /** Id of a Conversation of tenant chat that has no edges yet. */
  readonly from: string;
  readonly edgeType: string;
  readonly targets: readonly string[];
  readonly timeOf: (index: number) => number;
}

/** Most operations of a batch are 100; one of them is the head's. */
const A_BATCH = 99;
const PARALLEL = 4;

/**
 * Stores edges as edge.put would leave them, in batches of 99 past the gateway: an object's own writes are limited to far
 * fewer a second.
 */
export async function loadEdges(cosmos: { url: string; key: string }, load: EdgesToLoad): Promise<void> {
  const { from, targets, timeOf } = load;
  const type = EdgeTypeName.parse(load.edgeType);
  const client = new CosmosClient({ endpoint: cosmos.url, key: cosmos.key });
  const { items } = client.database('habitat').container('main');
  const pk = `chat|Conversation|${from}`;
  const r = Date.now();
  const edges = targets.map((target, index) => {
    const to = ObjectId.parse(target);
    const timeMs = timeOf(index);
    const s = sortString(type, timeMs, to);
    return { id: manyEdgeItemId(type, to), pk, type, to, s, r, w: `load-${index}`, timeMs };
  });
  const bytes = edges.reduce((sum, edge) => sum + storedBytes(edge), 0);
  await items.create({ id: HEAD_ID, pk, state: 'open', n: { [type]: edges.length }, bytes });
  const batches: OperationInput[][] = [];
  for (let at = 0; at < edges.length; at += A_BATCH) {
    batches.push(
      edges.slice(at, at + A_BATCH).map((edge) => ({ operationType: 'Create', resourceBody: edge as JSONObject })),
    );
  }
  const worker = async () => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
      const { code } = await items.batch(batch, pk);
      if (code !== 200) throw new Error(`A batch of edges was answered ${code}.`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  client.dispose();
}
