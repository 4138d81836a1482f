import { z } from 'zod';
import { ObjectId, ObjectTypeName, TenantName } from '#gateway/contract/ids.ts';
import type { RunningEmulator } from '#gateway/emulator/start.ts';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { itemsOf, type Stored } from '#test/gateway/store/stored-items.ts';
import type { Call } from './fleet.ts';

const Page = z.object({
  edges: z.array(z.object({ toId: z.string(), time: z.int(), data: z.string().optional() })),
  cursor: z.string().optional(),
});
type Edge = z.infer<typeof Page>['edges'][number];

export interface Edges {
  readonly count: number;
  /** By the list, newest first. */
  readonly list: readonly Edge[];
}

const PAGE = 1_000;

/** What count and list say about the edges at `/objects/…/edges/…`, both as critical reads. */
export async function edgesAt(call: Call, path: string): Promise<Edges> {
  const headers = { 'habitat-consistency': 'critical' };
  const { count } = z.object({ count: z.int() }).parse((await call('GET', `${path}:count`, { headers })).body);
  const list: Edge[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const from = cursor === undefined ? '' : `&cursor=${cursor}`;
    const page = Page.parse((await call('GET', `${path}?limit=${PAGE}${from}`, { headers })).body);
    list.push(...page.edges);
    cursor = page.cursor;
  }
  return { count, list };
}

/** Targets in order of their names; the count has to agree. */
export async function targetsAt(call: Call, path: string): Promise<readonly string[]> {
  const { count, list } = await edgesAt(call, path);
  if (count !== list.length) throw new Error(`${path}: count ${count}, list ${list.length}`);
  return list.map(({ toId }) => toId).toSorted();
}

/** Every item of an object's partition, as it is stored. */
export function storedAt(cosmos: RunningEmulator, type: string, id: string): Promise<Stored[]> {
  const tenant = TenantName.parse('chat');
  return itemsOf(cosmos, { tenant, type: ObjectTypeName.parse(type), id: ObjectId.parse(id) });
}

/** Ids of outbox entries that wait to be applied. */
export async function openEntries(cosmos: RunningEmulator, type: string, id: string): Promise<readonly string[]> {
  const items = await storedAt(cosmos, type, id);
  return items.filter((item) => item.id.startsWith('x~') && item.done !== true).map((item) => item.id);
}

/** Waits until the outbox of each of these objects is empty. */
export async function rest(cosmos: RunningEmulator, type: string, ids: readonly string[]): Promise<void> {
  const open = async () => (await Promise.all(ids.map((id) => openEntries(cosmos, type, id)))).flat();
  await eventually('no outbox entry is open', async () => (await open()).length === 0, 90_000);
}
