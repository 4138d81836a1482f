import { expect, test } from 'vitest';
import { TelemetryShipment } from '#gateway/contract/telemetry.ts';
import type { Finished } from '#gateway/pipeline/record.ts';
import type { ConsoleAnswer, ConsoleClient } from '#gateway/release/console-client.ts';
import { createSample } from '#gateway/telemetry/sample.ts';
import { createSeries } from '#gateway/telemetry/series.ts';
import { createTelemetryShipping } from '#gateway/telemetry/ship.ts';

let made = 0;
const finished = (over: Partial<Finished['record']> = {}, tenant = 'chat', type = 'Message'): Finished => ({
  tenant,
  type,
  otherTypes: [],
  writes: new Map(),
  misfit: null,
  record: {
    id: `r${made++}`,
    atMs: 1_000_000,
    gateway: 'gw',
    worker: 0,
    release: 1,
    tenant,
    principal: 'api',
    actorKind: 'service',
    keyId: null,
    operation: 'object.get',
    type,
    objectId: '1',
    edgeType: null,
    status: 200,
    code: null,
    message: null,
    outcome: 'served',
    policy: null,
    durationUs: 500,
    ru: 1,
    stages: {},
    quota: null,
    attempts: [],
    cache: null,
    ...over,
  },
});

const batchOf = (...all: Finished[]) => {
  const series = createSeries();
  for (const one of all) series.add(one);
  return series.drain();
};

/** The console at the process edge: takes a (boot, seq) once, answers or not as told. */
function consoleEdge() {
  const taken = new Map<number, TelemetryShipment>();
  const sent: number[] = [];
  const state: { answer: ConsoleAnswer } = { answer: { kind: 'ok', status: 200, etag: null, body: Buffer.from('{}') } };
  const client: ConsoleClient = {
    get: () => Promise.resolve(state.answer),
    post: (_path, body) => {
      const shipment = TelemetryShipment.parse(body);
      sent.push(shipment.seq);
      if (!taken.has(shipment.seq)) taken.set(shipment.seq, shipment);
      return Promise.resolve(state.answer);
    },
  };
  return { client, taken, sent, state };
}

function shipping(client: ConsoleClient) {
  const clock = { nowMs: 1_000_000 };
  const nowMs = () => clock.nowMs;
  return { clock, ship: createTelemetryShipping({ boot: 'b', client, nowMs, say: () => {} }) };
}

test('a shipment whose reply was lost is repeated under its number, and what came meanwhile follows under the next', async () => {
  const edge = consoleEdge();
  const { clock, ship } = shipping(edge.client);
  const ok = edge.state.answer;
  edge.state.answer = { kind: 'away', message: 'lost' };
  ship.absorb(batchOf(finished(), finished()));
  clock.nowMs += 5_000;
  await ship.tick();
  ship.absorb(batchOf(finished()));
  clock.nowMs += 5_000;
  await ship.tick();
  edge.state.answer = ok;
  clock.nowMs += 5_000;
  await ship.tick();
  clock.nowMs += 5_000;
  await ship.tick();
  expect(edge.sent).toEqual([1, 1, 1, 2]);
  const counts = [...edge.taken.values()].map(({ tenants }) => tenants.reduce((sum, { count }) => sum + count, 0));
  expect(counts).toEqual([2, 1]);
});

test('records go out at once, series every 5 s', async () => {
  const edge = consoleEdge();
  const { clock, ship } = shipping(edge.client);
  ship.absorb(batchOf(finished()));
  ship.addRecords([finished().record]);
  clock.nowMs += 1_000;
  await ship.tick();
  expect(edge.taken.get(1)).toMatchObject({ tenants: [], requests: [{ status: 200 }] });
  clock.nowMs += 4_000;
  await ship.tick();
  expect(edge.taken.get(2)?.tenants).toHaveLength(1);
});

test('with the console away for long memory stays bounded, and what was given up is counted', async () => {
  const edge = consoleEdge();
  const { clock, ship } = shipping(edge.client);
  edge.state.answer = { kind: 'away', message: 'down' };
  ship.addRecords(Array.from({ length: 5_000 }, () => finished().record));
  ship.absorb(batchOf(finished()));
  clock.nowMs += 3_700_000;
  await ship.tick();
  expect(ship.lost()).toBe(3_001);
});

test('what two workers counted merges to what one would have', () => {
  const all = Array.from({ length: 500 }, (_, index) => finished({ durationUs: index * 37, ru: 1.5 }, `t${index % 3}`));
  const merged = createSeries();
  merged.absorb(batchOf(...all.slice(0, 123)));
  merged.absorb(batchOf(...all.slice(123)));
  const sorted = (batch: ReturnType<typeof batchOf>) => ({
    tenants: batch.tenants.toSorted((a, b) => a.tenant.localeCompare(b.tenant)),
    types: batch.types,
    principals: batch.principals.toSorted((a, b) => a.tenant.localeCompare(b.tenant)),
  });
  expect(sorted(merged.drain())).toEqual(sorted(batchOf(...all)));
  expect(merged.isEmpty()).toBe(true);
});

test('the 50 busiest principals of a tenant keep their names, the rest is "other"', () => {
  const all = Array.from({ length: 80 }, (_, index) =>
    Array.from({ length: index + 1 }, () => finished({ principal: `p${index}` })),
  ).flat();
  const { principals } = batchOf(...all);
  expect(principals).toHaveLength(51);
  expect(principals.find(({ principal }) => principal === 'other')?.requests).toBe((30 * 31) / 2);
  expect(principals.reduce((sum, { requests }) => sum + requests, 0)).toBe(all.length);
});

test('of one second the refusals, the failures, the newest of each type and the slowest of each tenant are kept', () => {
  const sample = createSample();
  sample.offer(finished({ id: 'slow', durationUs: 9_000 }));
  for (let index = 0; index < 1_000; index++) sample.offer(finished({ id: `fast${index}` }));
  sample.offer(finished({ id: 'other-type' }, 'chat', 'User'));
  for (let index = 0; index < 200; index++) sample.offer(finished({ id: `no${index}`, outcome: 'refused' }));
  sample.offer(finished({ id: 'broken', outcome: 'failed' }));
  const kept = sample.drain().map(({ id }) => id);
  expect(kept).toEqual(expect.arrayContaining(['slow', 'fast999', 'fast998', 'other-type', 'no0', 'broken']));
  expect(kept.length).toBeLessThan(70);
  expect(sample.drain()).toEqual([]);
});

test('every write of a commit counts under its type, beside the requests and their cost', () => {
  const writes = new Map([
    ['Message', 1],
    ['messages', 3],
  ]);
  const commit = { ...finished({ operation: 'commit', ru: 20 }), otherTypes: ['messages'], writes };
  const read = finished({ operation: 'object.get' });
  const merged = createSeries();
  merged.absorb(batchOf(commit, read));
  merged.absorb(batchOf(commit));
  const types = merged
    .drain()
    .types.map(({ type, operation, count, ru, writes: times }) => [type, operation, count, ru, times]);
  expect(types.sort()).toEqual([
    ['Message', 'commit', 2, 40, 2],
    ['Message', 'object.get', 1, 1, 0],
    ['messages', 'commit', 0, 0, 6],
  ]);
});
