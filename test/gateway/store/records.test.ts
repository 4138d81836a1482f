import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, idOf, keyed, keyOf, messages, newCall, servedBy, startFixture } from './store-fixture.ts';
import { itemsOf } from './stored-items.ts';

const HOUR_MS = 60 * 60 * 1_000;

let fixture: Fixture;
let nowMs = Date.now();
beforeAll(async () => {
  fixture = await startFixture(() => nowMs);
});
afterAll(() => fixture.stop());

const from = keyOf('Conversation', 'c');
const edge = { from, rule: messages, toId: idOf('a') };
const call = (key: string) => newCall({ deadlineAtMs: nowMs + 10_000, ...keyed(key) });
const put = (key: string) => servedBy(fixture.store.putEdge(edge, { timeMs: 1, data: null }, call(key)));
const remove = (key: string) => servedBy(fixture.store.deleteEdge(edge, call(key)));

describe('an idempotency record', () => {
  it('lives 24 hours and holds hash and outcome, nothing of the content', async () => {
    const { r } = await put('shape');
    const record = (await itemsOf(fixture.emulator, from)).find(({ id }) => id.startsWith('i~'));
    expect(record).toMatchObject({ q: 'body', ttl: 86_400, outcome: { r, timeMs: 1, created: true } });
  });

  it('counts as absent an hour before Cosmos removes it, and is then replaced by the new write', async () => {
    await put('aging');
    await remove('other');
    nowMs += 23 * HOUR_MS - 1;
    expect(await put('aging')).toMatchObject({ created: false });
    nowMs += 1;
    const again = await put('aging');
    expect(again).toMatchObject({ created: true });
    expect(await put('aging')).toEqual(again);
  });

  it('of a no-op ages the same way', async () => {
    await remove('drain');
    expect(await remove('no-op')).toEqual({ deleted: false });
    await put('refill');
    expect(await remove('no-op')).toEqual({ deleted: false });
    nowMs += 23 * HOUR_MS;
    expect(await remove('no-op')).toEqual({ deleted: true });
  });
});
