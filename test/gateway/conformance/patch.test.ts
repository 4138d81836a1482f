import type { Container, PatchOperation } from '@azure/cosmos';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusal } from '#test/gateway/emulator/with-emulator.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
let container: Container;
beforeAll(async () => {
  target = await openTarget();
  container = await target.container('patches');
});
afterAll(() => target.close());

/** The client's types leave this one out. */
const move = (from: string, path: string): PatchOperation => ({ op: 'move', from, path }) as unknown as PatchOperation;

const START = { pk: 'p', n: 1, list: ['a', 'b'], deep: { x: 1 } };

async function patched(id: string, operations: PatchOperation[]): Promise<Record<string, unknown>> {
  await container.items.upsert({ id, ...START });
  return (await container.item(id, 'p').patch(operations)).resource;
}

it.each<[string, PatchOperation[], object]>([
  ['adds a property', [{ op: 'add', path: '/new', value: { y: 1 } }], { new: { y: 1 } }],
  ['inserts into an array', [{ op: 'add', path: '/list/1', value: 'z' }], { list: ['a', 'z', 'b'] }],
  ['appends to an array', [{ op: 'add', path: '/list/-', value: 'z' }], { list: ['a', 'b', 'z'] }],
  ['sets an element', [{ op: 'set', path: '/list/0', value: 'z' }], { list: ['z', 'b'] }],
  ['replaces a value', [{ op: 'replace', path: '/deep/x', value: null }], { deep: { x: null } }],
  ['removes a property', [{ op: 'remove', path: '/deep/x' }], { deep: {} }],
  ['increments a number', [{ op: 'incr', path: '/n', value: -3 }], { n: -2 }],
  ['increments from nothing', [{ op: 'incr', path: '/deep/count', value: 2 }], { deep: { x: 1, count: 2 } }],
  ['moves a value', [move('/deep/x', '/moved')], { deep: {}, moved: 1 }],
  ['moves over what is there', [move('/n', '/deep')], { deep: 1 }],
  ['reads escapes in a path', [{ op: 'set', path: '/a~1b', value: 1 }], { 'a/b': 1 }],
  [
    'applies in order',
    [
      { op: 'set', path: '/m', value: { k: 1 } },
      { op: 'incr', path: '/m/k', value: 1 },
    ],
    { m: { k: 2 } },
  ],
])('%s', async (name, operations, expected) => {
  const moved = operations.flatMap((operation) => ('from' in operation ? [String(operation.from).slice(1)] : []));
  const before = Object.entries(START).filter(([property]) => !moved.includes(property));
  const after = await patched(name, operations);
  expect(after).toMatchObject({ ...Object.fromEntries(before), ...expected });
  for (const property of moved) expect(after).not.toHaveProperty(property);
});

it.each<[string, PatchOperation[]]>([
  ['replace of nothing', [{ op: 'replace', path: '/absent', value: 1 }]],
  ['remove of nothing', [{ op: 'remove', path: '/absent' }]],
  ['a parent that is not there', [{ op: 'set', path: '/absent/x', value: 1 }]],
  ['an increment of text', [{ op: 'incr', path: '/list/0', value: 1 }]],
  ['a move of nothing', [move('/absent', '/x')]],
  ['a move into itself', [move('/deep', '/deep/y')]],
  ['a move of the id', [move('/id', '/x')]],
  ['the id', [{ op: 'set', path: '/id', value: 'other' }]],
  ['the partition key', [{ op: 'set', path: '/pk', value: 'other' }]],
  ['eleven operations', Array.from({ length: 11 }, () => ({ op: 'incr' as const, path: '/n', value: 1 }))],
])('refuses %s and changes nothing', async (name, operations) => {
  await container.items.upsert({ id: name, ...START });
  const withGood = operations.length > 10 ? operations : [{ op: 'set' as const, path: '/n', value: 9 }, ...operations];
  expect((await refusal(container.item(name, 'p').patch(withGood))).code).toBe(400);
  expect((await container.item(name, 'p').read()).resource).toMatchObject(START);
});

it('patches only while its condition holds', async () => {
  await container.items.create({ id: 'h', pk: 'p', state: 'open', n: {} });
  const condition = 'FROM c WHERE c.state = "open" AND (NOT IS_DEFINED(c.n["follows"]) OR c.n["follows"] < 2)';
  const operations: PatchOperation[] = [{ op: 'incr', path: '/n/follows', value: 1 }];
  const add = () => container.item('h', 'p').patch({ condition, operations });
  expect((await add()).resource.n.follows).toBe(1);
  expect((await add()).resource.n.follows).toBe(2);
  expect((await refusal(add())).code).toBe(412);
  await container.item('h', 'p').patch([
    { op: 'set', path: '/state', value: 'closing' },
    { op: 'set', path: '/n', value: {} },
  ]);
  expect((await refusal(add())).code).toBe(412);
  expect((await container.item('h', 'p').read()).resource.n).toEqual({});
});

it('a property named __proto__ is data like any other', async () => {
  const body = JSON.parse('{"id":"proto","pk":"p","m":{}}');
  await container.items.create(body);
  await container.item('proto', 'p').patch([{ op: 'set', path: '/m/__proto__', value: { polluted: true } }]);
  const { resource } = await container.item('proto', 'p').read();
  expect(JSON.stringify(resource.m)).toBe('{"__proto__":{"polluted":true}}');
});
