import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Consistency, SessionToken } from '#gateway/pipeline/store-port.ts';
import type { Store } from '#gateway/store/create-store.ts';
import type { PointLane } from '#gateway/store/points/point-reads.ts';
import { LANES } from '#test/gateway/store/points/lanes.ts';
import { type FaultyProxy, type Seen, startFaultyProxy } from '#test/support/faulty-proxy.ts';
import {
  codeOf,
  type Fixture,
  idOf,
  keyOf,
  messages,
  newCall,
  replyOf,
  servedBy,
  startFixture,
} from './store-fixture.ts';

let fixture: Fixture;
let proxy: FaultyProxy;
const stores = new Map<PointLane, Store>();
const seen: Seen[] = [];
beforeAll(async () => {
  fixture = await startFixture();
  proxy = await startFaultyProxy(fixture.emulator.url);
  for (const lane of LANES) stores.set(lane, fixture.another(proxy.url, lane));
  proxy.decide((request) => {
    // Beside what a call sends, the store reads the account document whenever it is due.
    if (request.path.includes('/docs')) seen.push(request);
    return { kind: 'pass' };
  });
});
afterAll(async () => {
  await proxy.close();
  await fixture.stop();
});

const from = keyOf('Conversation', 'c');
const edge = { from, rule: messages };
const LIST = { limit: 10, afterS: null, afterMs: null, beforeMs: null };

/** Consistency level and session token of the last request. */
function lastSent(): readonly [unknown, unknown] {
  const headers = seen.at(-1)?.headers ?? {};
  return [headers['x-ms-consistency-level'], headers['x-ms-session-token']];
}

async function write(through: Store): Promise<readonly SessionToken[]> {
  const put = { timeMs: 1, data: null };
  return (await replyOf(through.putEdge({ ...edge, toId: idOf('m') }, put, newCall()))).session;
}

describe.each(LANES)('a read (%s)', (lane) => {
  let store: Store;
  beforeAll(() => {
    store = stores.get(lane) ?? expect.fail(`There is no store of the lane ${lane}.`);
  });
  const read = (consistency: Consistency, session: readonly SessionToken[] = []) =>
    servedBy(store.countEdges(edge, newCall({ consistency, session })));

  it('sends the token of the last write that this gateway made to the partition', async () => {
    const [token] = await write(store);
    expect(token).toMatchObject({ container: 'main', token: expect.stringMatching(/\d/) });
    await read('session');
    expect(lastSent()).toEqual(['Session', `${token?.range}:${token?.token}`]);
    await servedBy(store.listEdges(edge, LIST, newCall()));
    expect(lastSent()).toEqual(['Session', expect.stringContaining(`${token?.range}:`)]);
  });

  it("sends the client's token when a write through another gateway is newer", async () => {
    const tokens = (await write(fixture.store)).map((token) => ({ ...token, account: new URL(proxy.url).host }));
    await read('session', tokens);
    expect(lastSent()[1]).toBe(`${tokens[0]?.range}:${tokens[0]?.token}`);
  });

  it('that is critical asks for the level of the account; eventual carries no token', async () => {
    await write(store);
    await read('critical');
    expect(lastSent()).toEqual([undefined, undefined]);
    await read('eventual');
    expect(lastSent()).toEqual(['Eventual', undefined]);
  });

  it('of one partition costs one request, and a list its query with one read of the head beside it', async () => {
    const before = seen.length;
    await read('session');
    expect(seen.length - before).toBe(1);
    await servedBy(store.listEdges(edge, LIST, newCall()));
    const sent = seen.slice(before + 1);
    expect(sent.map(({ isQuery }) => isQuery).sort()).toEqual([false, true]);
    expect(sent.find(({ isQuery }) => !isQuery)?.path).toMatch(/\/docs\/h$/);
  });

  it('of a token that the store has not reached is store_unavailable, never "not found"', async () => {
    const [token] = await write(store);
    const ahead = {
      account: new URL(proxy.url).host,
      container: 'main',
      range: token?.range ?? '0',
      token: '-1#999999999',
    };
    const object = store.getObject(keyOf('Conversation', 'nothing'), newCall({ session: [ahead] }));
    expect(await codeOf(object)).toBe('store_unavailable');
  });
});
