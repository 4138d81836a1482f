import { expect, it } from 'vitest';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { catalogOf } from '#server/compile/model.ts';
import { MAX_DRAWN } from '#server/contract/definitions.ts';
import { neighbourhoodOf } from '#server/registry/neighbours.ts';
import { copied } from '#test/server/compile/fixture.ts';

const parsed = (edits: readonly object[]) => edits.map((edit) => Definition.parse(edit));
const edge = (name: string, from: string, to: string, more: Record<string, unknown> = {}) => {
  const { document, ...rest } = copied('edgeType', 'members', name, { from, to, ...more });
  const { inverse: _, ...plain } = document as Record<string, unknown>;
  return { ...rest, document: { ...plain, ...more } };
};

const MANY = 1_000;
const hub = copied('objectType', 'User', 'Hub');
const around = Array.from({ length: MANY }, (_, at) => [
  edge(`out${at}`, 'Hub', `Spoke${at}`, { inverse: `back${at}` }),
  edge(`back${at}`, `Spoke${at}`, 'Hub'),
  edge(`in${at}`, `Spoke${at}`, 'Hub'),
]).flat();
const definitions = parsed([hub, ...around, edge('loop', 'Hub', 'Hub')]);
const catalog = catalogOf(definitions);
const named = (name: string) => definitions.find((one) => one.name === name) as Definition;

it('of thousands the page of a type gets what its picture has room for, and how many there are', () => {
  const { total, lines, drawn } = neighbourhoodOf(named('Hub'), catalog);
  expect([total, lines]).toEqual([3 * MANY + 1, 2 * MANY + 1]);
  const count = (has: (line: (typeof drawn)[number]) => boolean) => drawn.filter(has).length;
  expect(count(({ to }) => to === 'Hub')).toBe(MAX_DRAWN + 1);
  expect(count(({ from, to }) => from === 'Hub' && to !== 'Hub')).toBe(MAX_DRAWN - 1);
  expect(drawn.some(({ edge: name }) => name.startsWith('back'))).toBe(false);
  expect(drawn.some(({ edge: name }) => name === 'loop')).toBe(true);
});

it('an edge type is in the picture of its own page, also as the inverse of a line', () => {
  const between = parsed([
    copied('objectType', 'User', 'A'),
    copied('objectType', 'User', 'B'),
    ...Array.from({ length: 40 }, (_, at) => edge(`many${at}`, 'A', 'B')),
    edge('zForward', 'A', 'B', { inverse: 'zBack' }),
    edge('zBack', 'B', 'A'),
  ]);
  const both = catalogOf(between);
  const drawn = (name: string) =>
    neighbourhoodOf(between.find((one) => one.name === name) as Definition, both).drawn.map((line) => line.edge);
  expect(drawn('zForward')).toContain('zForward');
  expect(drawn('zBack')).toContain('zForward');
  expect(drawn('many39')).toContain('many39');
});
