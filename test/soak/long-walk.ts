import type { World } from '#test/gateway/histories/world.ts';
import { loadEdges } from '#test/gateway/store/load-edges.ts';
import { type Call, callsOf, type Finding, walk } from './finding.ts';

const TYPE = 'views';
const FROM = `walk-${Date.now()}`;
const EDGES = 20_000;
/** Few different times, so that most edges share theirs with hundreds of others. */
const TIMES = 50;
/** Every so many edges one is changed while the walk goes on; the others live through it. */
const CHANGED_EVERY = 20;

/** A walk by cursor over 20,000 edges, through both gateways in turn, while others are added, deleted and moved (T6). */
export async function longWalk(world: World): Promise<Finding> {
  const targets = Array.from({ length: EDGES }, (_, index) => `t${index}`);
  await loadEdges(world.cosmos, {
    from: FROM,
    edgeType: TYPE,
    targets,
    timeOf: (index) => 1_700_000_000_000 + (index % TIMES),
  });
  const calls = await Promise.all(['gw-a', 'gw-b'].map((name) => callsOf(world, name)));
  const walking = { isOver: false };
  const changing = Promise.all(calls.map((call, half) => change(call, half, walking)));
  const seen = await walk(calls, { from: FROM, type: TYPE, limit: 250 });
  walking.isOver = true;
  const changes = (await changing).reduce((sum, one) => sum + one, 0);
  const times = Map.groupBy(seen, (id) => id);
  const stable = targets.filter((_, index) => index % CHANGED_EVERY !== 0);
  const wrong = stable.filter((target) => times.get(target)?.length !== 1);
  const problems = wrong.map(
    (target) => `${target} lived through the walk and was seen ${times.get(target)?.length ?? 0} times`,
  );
  if (changes === 0) problems.push('nothing was changed during the walk');
  return { figures: { edges: EDGES, seen: seen.length, changes }, problems: problems.slice(0, 10) };
}

/** Deletes, moves and adds edges by turns until the walk is over. Returns how often. */
async function change(call: Call, half: number, walking: { readonly isOver: boolean }): Promise<number> {
  let changes = 0;
  for (let step = half; !walking.isOver; step += 2) {
    const index = (step * CHANGED_EVERY * 7) % EDGES;
    const path = `/objects/Conversation/${FROM}/edges/${TYPE}`;
    const turn = Math.floor(step / 2) % 3;
    const reply =
      turn === 0
        ? await call('DELETE', `${path}/t${index}`)
        : await call('PUT', `${path}/${turn === 1 ? 't' : 'new'}${index}`, {
            body: JSON.stringify({ time: 1_700_000_000_000 + step }),
          });
    if (reply.status < 300) changes += 1;
  }
  return changes;
}
