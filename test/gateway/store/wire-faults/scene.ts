import type { FaultOperation } from '#gateway/contract/local-cosmos.ts';
import type { Store } from '#gateway/store/create-store.ts';
import { CONTAINER, DATABASE } from '#gateway/store/layout/container.ts';
import type { PointLane } from '#gateway/store/points/point-reads.ts';
import { clientOf } from '#test/gateway/emulator/with-emulator.ts';
import { startTwoRegions, type TwoRegions } from '#test/gateway/store/regions/two-regions.ts';
import { idOf, keyOf, messages, newCall, servedBy } from '#test/gateway/store/store-fixture.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import type { Row } from './table.ts';

export const READS: FaultOperation[] = ['read', 'query'];
export const WRITES: FaultOperation[] = ['batch'];

/** What meets a fault. Refusing concerns whole regions and takes no more. */
export interface Meeting {
  readonly store: Store;
  readonly region: 'East' | 'West';
  readonly operations: FaultOperation[];
  readonly times?: number;
  readonly percent?: number;
}

export interface Stored {
  /** By the head of the partition. */
  readonly count: number;
  /** By the list, in order of their names. */
  readonly targets: readonly string[];
}

/** Two regions, and a look at what is stored that no fault gets in the way of. */
export interface WireScene {
  readonly world: TwoRegions;
  /** A store of its own that knows its regions, and a room with one edge: its next batch can commit at once. */
  begin(room: string, pointReads?: PointLane): Promise<Store>;
  /** Switches a row's fault on; resolves when the store can have noticed. */
  play(row: Pick<Row, 'effect'>, on: Meeting): Promise<void>;
  /** Switches all faults off, lets arrive what is to arrive late, and looks. */
  stored(room: string): Promise<Stored>;
  stop(): Promise<void>;
}

export const edgeOf = (room: string) => ({ from: keyOf('Conversation', room), rule: messages });

export function put(store: Store, room: string, to: string, call = newCall()) {
  return store.putEdge({ ...edgeOf(room), toId: idOf(to) }, { timeMs: 1, data: Buffer.from('data') }, call);
}

export async function startWireScene(): Promise<WireScene> {
  const world = await startTwoRegions();
  const witness = world.open();
  const client = clientOf(world.url.East, world.emulator.key);
  let markers = 0;

  /** What is delivered late is carried out in the order of its delays: a marker that is there came after all before it. */
  async function lateDeliveries(delayMs: number): Promise<void> {
    const { items } = client.database(DATABASE).container(CONTAINER);
    markers += 1;
    const id = `marker-${markers}`;
    world.fault('East', { kind: 'delayedDelivery', delayMs }, { operations: ['write'], times: 1 });
    await items.create({ id, pk: id }).catch(() => undefined);
    const marker = client.database(DATABASE).container(CONTAINER).item(id, id);
    await waitUntil(async () => (await marker.read()).statusCode === 200);
  }

  return {
    world,
    async begin(room, pointReads = 'rest') {
      const store = world.open({ pointReads });
      await servedBy(put(store, room, 'seed'));
      await servedBy(store.countEdges(edgeOf(room), newCall()));
      return store;
    },
    async play({ effect }, { store, region, ...more }) {
      if (effect.kind !== 'refuse') return world.fault(region, effect, more);
      world.fault(region, effect);
      // A byte on a connection that is cut just then would count as sent.
      await waitUntil(() => store.regions().every((one) => one.region !== region || one.connections.open === 0));
    },
    async stored(room) {
      const delays = world.emulator.faults.list().map(({ effect }) => ('delayMs' in effect ? effect.delayMs : 0));
      await world.emulator.faults.clear();
      await lateDeliveries(Math.max(60, ...delays));
      const count = await servedBy(witness.countEdges(edgeOf(room), newCall({ consistency: 'critical' })));
      const want = { limit: 100, afterS: null, afterMs: null, beforeMs: null };
      const page = await servedBy(witness.listEdges(edgeOf(room), want, newCall()));
      return { count, targets: page.edges.map(({ toId }) => toId).toSorted() };
    },
    async stop() {
      client.dispose();
      await world.stop();
    },
  };
}
