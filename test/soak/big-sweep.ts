import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '#test/gateway/histories/world.ts';
import { loadEdges } from '#test/gateway/store/load-edges.ts';
import { type Call, callsOf, countOf, type Finding, insist, walk } from './finding.ts';

const TYPE = 'views';
const FROM = `sweep-${Date.now()}`;
const EDGES = 100_000;
const WRITERS = 4;
/** A sweep of this size takes a minute or two; nothing waits for the end of this. */
const WITHIN_MS = 900_000;
const AFTERWARDS = 5;

/** An object with 100,000 edges is deleted while others put edges: they wait, and afterwards count = list = what they put. */
export async function bigSweep(world: World): Promise<Finding> {
  await world.setBudget(null);
  const targets = Array.from({ length: EDGES }, (_, index) => `t${index}`);
  await loadEdges(world.cosmos, { from: FROM, edgeType: TYPE, targets, timeOf: (index) => index });
  const calls = await Promise.all(['gw-a', 'gw-b'].map((name) => callsOf(world, name)));
  const [first] = calls;
  if (first === undefined) throw new Error('A gateway is needed.');
  const startedAtMs = performance.now();
  const deleted = await insist(() => first('DELETE', `/objects/Conversation/${FROM}`));
  const problems = deleted.status === 200 ? [] : [`the delete was answered ${deleted.status} ${deleted.code}`];
  const duringCount = await countOf(first, { from: FROM, type: TYPE });
  if (deleted.body?.sweeping === true && duringCount !== 0)
    problems.push(`the count beside the sweep is ${duringCount}`);
  const written = await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => write(calls[writer % calls.length] ?? first, writer)),
  );
  const sweptMs = Math.round(performance.now() - startedAtMs);
  const listed = await walk(calls, { from: FROM, type: TYPE, limit: 1_000 });
  const count = await countOf(first, { from: FROM, type: TYPE });
  const expected = written.flatMap(({ ids }) => ids).sort();
  if (count !== listed.length) problems.push(`the count is ${count} and the list has ${listed.length} edges`);
  if ([...listed].sort().join() !== expected.join())
    problems.push(`the list is ${listed.slice(0, 30)}; put were ${expected}`);
  await world.setBudget(10_000);
  const waited = written.reduce((sum, { refusals }) => sum + refusals, 0);
  return { figures: { edges: EDGES, sweptMs, refusedMeanwhile: waited, left: listed.length }, problems };
}

/** Puts edges, asking again while the delete goes on, until some were acknowledged. */
async function write(call: Call, writer: number): Promise<{ ids: string[]; refusals: number }> {
  const untilMs = performance.now() + WITHIN_MS;
  const ids: string[] = [];
  let refusals = 0;
  while (ids.length < AFTERWARDS) {
    const id = `after-${writer}-${ids.length}`;
    const reply = await call('PUT', `/objects/Conversation/${FROM}/edges/${TYPE}/${id}`, { body: '{"time":1}' });
    if (reply.status === 201 || reply.status === 200) ids.push(id);
    else if (reply.error?.retryable !== true) throw new Error(`A put was answered ${reply.status} ${reply.code}.`);
    else if (performance.now() > untilMs) throw new Error(`The sweep did not end: ${reply.code}.`);
    else {
      refusals += 1;
      await pause(200);
    }
  }
  return { ids, refusals };
}
