import type { World } from '#test/gateway/histories/world.ts';
import { loadEdges } from '#test/gateway/store/load-edges.ts';
import { callsOf, type Finding, type Page, readPage } from './finding.ts';

const TYPE = 'views';
const FROM = `cursor-${Date.now()}`;
const EDGES = 60;

/** A cursor of one gateway goes on at the other, and at itself after it was killed and started again. */
export async function cursorAcrossGateways(world: World): Promise<Finding> {
  const targets = Array.from({ length: EDGES }, (_, index) => `t${index}`);
  await loadEdges(world.cosmos, {
    from: FROM,
    edgeType: TYPE,
    targets,
    timeOf: (index) => 1_000 + Math.floor(index / 7),
  });
  const page = async (gateway: string, cursor: string | null): Promise<Page> =>
    readPage(await callsOf(world, gateway), { from: FROM, type: TYPE, limit: 20, cursor });
  const first = await page('gw-a', null);
  await world.killAndRestart('gw-a');
  const elsewhere = await page('gw-b', first.cursor);
  const again = await page('gw-a', first.cursor);
  const last = await page('gw-a', elsewhere.cursor);
  const problems: string[] = [];
  if (elsewhere.ids.join() !== again.ids.join())
    problems.push('the two gateways go on from one cursor with different pages');
  const all = [...first.ids, ...elsewhere.ids, ...last.ids];
  if (new Set(all).size !== EDGES || all.length !== EDGES)
    problems.push(`${all.length} edges were seen, ${new Set(all).size} different ones`);
  return { figures: { edges: all.length }, problems };
}
