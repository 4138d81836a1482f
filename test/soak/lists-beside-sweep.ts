import type { World } from '#test/gateway/histories/world.ts';
import { loadEdges } from '#test/gateway/store/load-edges.ts';
import { type Call, callsOf, type Finding, insist, readPage } from './finding.ts';

const TYPE = 'views';
const ROUNDS = 20;
/** More than one turn of a sweep takes, fewer than it sweeps before it answers. */
const EDGES = 250;

/** While an object is being deleted, a list shows all of its edges or none. */
export async function listsBesideSweep(world: World): Promise<Finding> {
  const calls = await Promise.all(['gw-a', 'gw-b'].map((name) => callsOf(world, name)));
  const problems: string[] = [];
  let lists = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = `lists-${Date.now()}`;
    const targets = Array.from({ length: EDGES }, (_, index) => `t${index}`);
    await loadEdges(world.cosmos, { from, edgeType: TYPE, targets, timeOf: (index) => index });
    const deleting = { isOver: false };
    const readers = [...calls, ...calls].map((call) => readOn(call, from, deleting));
    const deleter = calls[round % calls.length];
    if (deleter === undefined) throw new Error('There is nobody to ask.');
    const reply = await insist(() => deleter('DELETE', `/objects/Conversation/${from}`));
    deleting.isOver = true;
    if (reply.status !== 200) problems.push(`the delete was answered ${reply.status} ${reply.code}`);
    for (const length of (await Promise.all(readers)).flat()) {
      lists += 1;
      if (length !== 0 && length !== EDGES) problems.push(`a list beside the sweep has ${length} of ${EDGES} edges`);
    }
  }
  return { figures: { deletes: ROUNDS, lists }, problems: problems.slice(0, 10) };
}

async function readOn(call: Call, from: string, deleting: { readonly isOver: boolean }): Promise<number[]> {
  const lengths: number[] = [];
  while (!deleting.isOver) {
    lengths.push((await readPage(call, { from, type: TYPE, limit: 1_000, cursor: null })).ids.length);
  }
  return lengths;
}
