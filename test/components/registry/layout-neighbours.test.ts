import { expect, test } from 'vitest';
import { layoutNeighbours } from '#components/registry/layout-neighbours.ts';
import { MAX_DRAWN, type Neighbour } from '#server/contract/definitions.ts';

const edge = (name: string, from: string, to: string, more: Partial<Neighbour> = {}): Neighbour => ({
  edge: name,
  from,
  to,
  cardinality: 'many',
  inverse: null,
  mirrors: null,
  state: 'active',
  ...more,
});
const namesOf = (groups: ReturnType<typeof layoutNeighbours>['left']) =>
  groups.map(({ type, rows }) => [type, rows.map((row) => row.edge)]);

test('what leads to the type is at its left and what it leads to at its right, grouped by the other type', () => {
  const graph = layoutNeighbours('Message', [
    edge('author', 'Message', 'User'),
    edge('messages', 'Conversation', 'Message'),
    edge('readBy', 'Message', 'User'),
    edge('in', 'Message', 'Conversation'),
  ]);
  expect(namesOf(graph.left)).toEqual([['Conversation', ['messages']]]);
  expect(namesOf(graph.right)).toEqual([
    ['Conversation', ['in']],
    ['User', ['author', 'readBy']],
  ]);
  expect(graph.leftOut).toBe(0);
});

test('an inverse lies on the line that it mirrors, and an edge type from the type to itself is neither left nor right', () => {
  const graph = layoutNeighbours('Message', [
    edge('reactions', 'Message', 'Reaction', { inverse: 'reactionOf' }),
    edge('reactionOf', 'Reaction', 'Message', { mirrors: 'reactions' }),
    edge('replies', 'Message', 'Message', { inverse: 'repliesTo' }),
    edge('repliesTo', 'Message', 'Message', { mirrors: 'replies' }),
  ]);
  expect(graph.left).toEqual([]);
  expect(graph.right.flatMap(({ rows }) => rows)).toMatchObject([{ edge: 'reactions', inverse: 'reactionOf' }]);
  expect(graph.loops).toMatchObject([{ edge: 'replies', inverse: 'repliesTo' }]);
});

test('200 neighbours are bounded on each side, and what is left out is counted', () => {
  const many = Array.from({ length: 100 }, (_, at) => [
    edge(`out${at}`, 'Hub', `Spoke${at}`),
    edge(`in${at}`, `Spoke${at}`, 'Hub'),
  ]).flat();
  const loops = Array.from({ length: 3 }, (_, at) => edge(`loop${at}`, 'Hub', 'Hub'));
  const graph = layoutNeighbours('Hub', [...many, ...loops]);
  const [left, right] = [graph.left, graph.right].map((groups) => groups.flatMap(({ rows }) => rows).length);
  expect([left, right, graph.loops.length]).toEqual([MAX_DRAWN, MAX_DRAWN - 3, 3]);
  expect(graph.leftOut).toBe(203 - 2 * MAX_DRAWN);
});

test('no two lines or boxes of a side lie on each other, and all lie within the height', () => {
  const graph = layoutNeighbours('Hub', [
    ...Array.from({ length: 7 }, (_, at) => edge(`out${at}`, 'Hub', `Spoke${at % 3}`)),
    ...Array.from({ length: 2 }, (_, at) => edge(`in${at}`, `Spoke${at}`, 'Hub')),
    edge('loop', 'Hub', 'Hub'),
  ]);
  for (const groups of [graph.left, graph.right]) {
    for (const [at, { y, height, rows }] of groups.entries()) {
      expect(y).toBeGreaterThanOrEqual(at === 0 ? 0 : (groups[at - 1]?.y ?? 0) + (groups[at - 1]?.height ?? 0));
      expect(rows.every((row) => row.y > y && row.y < y + height)).toBe(true);
      expect(y + height).toBeLessThanOrEqual(graph.height);
    }
  }
  const last = graph.right.at(-1);
  expect(graph.loops[0]?.y).toBeGreaterThan((last?.y ?? 0) + (last?.height ?? 0));
});
