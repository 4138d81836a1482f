import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Fleet, type Reply, startFleet } from './fleet.ts';

const ACCOUNT = 'habitat-local';
let fleet: Fleet;
beforeAll(async () => {
  const regions = ['East', 'West'].map((name) => ({ name, port: 0 }));
  const accounts = [{ name: ACCOUNT, regions, partitionRuPerSecond: null }];
  fleet = await startFleet({ accounts }, { COSMOS_REGIONS: 'West,East' });
});
afterEach(() => fleet.cosmos.faults.clear());
afterAll(() => fleet?.stop());

const message = (id: string) => `/objects/Message/${id}`;
const pins = (id: string) => `/objects/Conversation/${id}/edges/pins`;

/** Writes through one gateway; the other one, which knows nothing of it, reads. */
async function write(id: string, text: string): Promise<void> {
  expect((await fleet.a.call('PUT', message(id), { body: text })).code).toBeNull();
  expect((await fleet.a.call('PUT', `${pins(id)}/${text}`, { body: '{"time":1}' })).code).toBeNull();
}

function readBy(path: string, consistency: string): Promise<Reply> {
  return fleet.b.call('GET', path, { headers: { 'habitat-consistency': consistency } });
}

const regionOf = ({ headers }: Reply) => headers.get('habitat-served-from');
const targetsOf = ({ body }: Reply) => body.edges.map(({ toId }: { toId: string }) => toId).toSorted();

test('T10: a critical read sees the last write while the nearest region stands still', async () => {
  await write('t10', 'old');
  fleet.cosmos.faults.add({ account: ACCOUNT, region: 'West', effect: { kind: 'lag', lagMs: null } });
  await write('t10', 'new');
  for (const [consistency, region, text, targets] of [
    ['eventual', 'West', 'old', ['old']],
    ['critical', 'East', 'new', ['new', 'old']],
  ] as const) {
    const object = await readBy(message('t10'), consistency);
    expect([regionOf(object), object.text]).toEqual([region, text]);
    const list = await readBy(pins('t10'), consistency);
    expect([regionOf(list), targetsOf(list)]).toEqual([region, targets]);
    const count = await readBy(`${pins('t10')}:count`, consistency);
    expect([regionOf(count), count.body]).toEqual([region, { count: targets.length }]);
    const one = await readBy(`${pins('t10')}/new`, consistency);
    expect(one.code).toBe(text === 'new' ? null : 'edge_not_found');
  }
});

test('T10: a critical read sees the last write while a replica of each region stands still', async () => {
  await write('t10r', 'old');
  for (const region of ['East', 'West']) {
    const effect = { kind: 'replicaLag', lagMs: null, replicas: 1 } as const;
    fleet.cosmos.faults.add({ account: ACCOUNT, region, effect });
  }
  await write('t10r', 'new');
  const lists: Reply[] = [];
  for (let n = 0; n < 12; n += 1) {
    expect((await readBy(message('t10r'), 'critical')).text).toBe('new');
    expect((await readBy(`${pins('t10r')}:count`, 'critical')).body).toEqual({ count: 2 });
    lists.push(await readBy(pins('t10r'), 'critical'));
  }
  // A query may draw the replica that stands still twice: then it is refused, and never answered from there.
  const served = lists.filter(({ code }) => code === null);
  expect(served.length).toBeGreaterThan(0);
  for (const list of served) expect(targetsOf(list)).toEqual(['new', 'old']);
  for (const { code } of lists) expect([null, 'store_unavailable']).toContain(code);
});
