import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/gateway/fixtures/eventually.ts';
import { targetsAt } from './edges.ts';
import { type Call, type Fleet, startFleet } from './fleet.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.stop());

/** Refusals that say for certain that nothing was written. */
const REFUSED = [
  ...['write_contended', 'delete_in_progress', 'quota_exceeded', 'overloaded'],
  ...['store_throttled', 'store_unavailable', 'deadline_exceeded'],
];

test('T17: edge.put racing with the sweep of its object: count = list, and no edge older than the delete remains', async () => {
  const object = '/objects/Conversation/t17';
  const path = `${object}/edges/pins`;
  await fleet.b.call('PUT', object, { body: 'x' });
  for (let start = 0; start < 300; start += 100) {
    const operations = Array.from({ length: 100 }, (_, n) => ({
      ...{ op: 'edge.put', type: 'Conversation', id: 't17', edgeType: 'pins', toId: `m${start + n}` },
    }));
    expect((await fleet.b.call('POST', '/batch', { body: JSON.stringify({ operations }) })).status).toBe(200);
  }
  const filled = (await targetsAt(fleet.b.call, path)).length;
  expect(filled).toBeGreaterThan(200);

  const acknowledged: string[] = [];
  /** Begun after the delete was over. */
  const later: string[] = [];
  const unknown: string[] = [];
  let isSwept = false;
  let isOver = false;
  const write = async (name: string, call: Call) => {
    for (let n = 0; !isOver; n += 1) {
      const toId = `${name}-${n}`;
      const isLater = isSwept;
      const { code } = await call('PUT', `${path}/${toId}`, { body: '{"time":2}' });
      if (code === 'outcome_unknown') unknown.push(toId);
      else if (code !== null) expect(REFUSED).toContain(code);
      else (isLater ? later : acknowledged).push(toId);
    }
  };
  const writers = [write('a', fleet.a.call), write('b', fleet.b.call), write('c', fleet.a.call)];
  await eventually('edges are put', () => acknowledged.length > 5, 60_000);
  const before = [...acknowledged];
  const sweep = async () => {
    const { code, body } = await fleet.b.call('DELETE', object);
    return code === null && body.sweeping !== true;
  };
  await eventually('the object is swept', sweep, 60_000);
  isSwept = true;
  await eventually('edges are put again', () => later.length > 3, 60_000);
  isOver = true;
  await Promise.all(writers);

  const targets = await targetsAt(fleet.a.call, path);
  expect(targets.filter((toId) => before.includes(toId) || toId.startsWith('m'))).toEqual([]);
  expect(targets).toEqual(expect.arrayContaining(later));
  expect([...acknowledged, ...later, ...unknown]).toEqual(expect.arrayContaining([...targets]));
});
