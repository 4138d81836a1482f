import { afterAll, beforeAll, expect, it } from 'vitest';
import { destroyKeys } from '#gateway/content/acts/destroy-keys.ts';
import { createContent } from '#gateway/content/create-content.ts';
import { createMasterWrapping } from '#gateway/content/keys/master-key.ts';
import { createStore } from '#gateway/store/create-store.ts';
import {
  codeOf,
  type Fixture,
  idOf,
  keyOf,
  memberOf,
  members,
  newCall,
  servedBy,
  startFixture,
  tenant,
} from './store-fixture.ts';
import { itemsOf } from './stored-items.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const ann = keyOf('User', 'ann');
const room = keyOf('Conversation', 'r1');
const edge = { from: ann, rule: memberOf, toId: idOf('r1') };
const EVERYTHING = { limit: 10, afterS: null, afterMs: null, beforeMs: null };

/** Ids of outbox entries that wait for somebody to apply them. */
async function openEntries(): Promise<string[]> {
  const items = await itemsOf(fixture.emulator, ann);
  return items.filter((item) => item.id.startsWith('x~') && item.done !== true).map(({ id }) => id);
}

it('a key destroyed while an outbox entry is open: no content comes back, and the delete reaches both directions', async () => {
  const { emulator, keysDir, store } = fixture;
  // The target's partition takes no batches, so the forward edge is committed and its inverse is not.
  emulator.faults.add({
    partition: 'chat|Conversation|r1',
    operations: ['batch'],
    effect: { kind: 'batchStatus', status: 449 },
  });
  await servedBy(store.putEdge(edge, { timeMs: 1, data: Buffer.from('joined') }, newCall()));
  expect(await openEntries()).toHaveLength(1);
  await emulator.faults.clear();
  await destroyKeys({ keysDir, wrapping: createMasterWrapping(keysDir) }, tenant, Date.now());

  // A gateway that starts now never had the key.
  const fresh = createContent({ keysDir, now: Date.now });
  const credential = { kind: 'key', key: emulator.key } as const;
  const again = createStore({ endpoint: emulator.url, credential, content: fresh, clock: { now: Date.now } });
  const [found] = await servedBy(
    again.getEdges({ from: ann, rule: memberOf }, { ...EVERYTHING, toIds: [edge.toId] }, newCall()),
  );
  if (found?.data == null) throw new Error('the forward edge is there, with its data');
  expect(await codeOf(fresh.open(found.binding, found.data))).toBe('key_unavailable');
  const replaced = again.putEdge(edge, { timeMs: 2, data: Buffer.from('other') }, newCall());
  expect(await codeOf(replaced)).toBe('key_unavailable');
  expect(await servedBy(again.countEdges({ from: ann, rule: memberOf }, newCall()))).toBe(1);

  expect(await servedBy(again.deleteEdge(edge, newCall()))).toEqual({ deleted: true });
  for (const side of [
    { from: ann, rule: memberOf },
    { from: room, rule: members },
  ]) {
    expect(await servedBy(again.countEdges(side, newCall()))).toBe(0);
    expect((await servedBy(again.listEdges(side, EVERYTHING, newCall()))).edges).toEqual([]);
  }
  await again.close();
});
