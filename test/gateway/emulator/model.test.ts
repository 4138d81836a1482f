import { ChangeFeedStartFrom, type Container, type ItemDefinition, type OperationInput } from '@azure/cosmos';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelOperation, type ModelState, runModelBatch } from './model.ts';
import { startTestEmulator, type TestEmulator } from './with-emulator.ts';

let test: TestEmulator;
let container: Container;
/** Stands still unless a step moves it, so that nothing expires by itself. */
const clock = { nowMs: Date.now() };
beforeAll(async () => {
  test = await startTestEmulator({ nowMs: () => clock.nowMs });
  container = await test.container('model');
});
afterAll(() => test.close());

const operation: fc.Arbitrary<ModelOperation> = fc.record({
  kind: fc.constantFrom('Create', 'Upsert', 'Replace', 'Patch', 'Read', 'Delete'),
  id: fc.constantFrom('a', 'b', 'c'),
  n: fc.integer({ min: 0, max: 99 }),
  ttl: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 2 }),
  guard: fc.constantFrom('none', 'none', 'current', 'stale'),
});

type Step =
  | { readonly kind: 'single'; readonly operation: ModelOperation }
  | { readonly kind: 'batch'; readonly operations: readonly ModelOperation[] }
  | { readonly kind: 'pass'; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('single' as const), operation }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      operations: fc.array(operation, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 3 }) }),
  },
);

function inputOf(pk: string, state: ModelState, { kind, id, n, ttl, guard }: ModelOperation): OperationInput {
  const etag = guard === 'none' ? undefined : guard === 'stale' ? '"stale"' : (state.get(id)?.etag ?? '"none"');
  const ifMatch = etag === undefined ? {} : { ifMatch: etag };
  const resourceBody = { id, pk, n, ...(ttl === undefined ? {} : { ttl }) };
  switch (kind) {
    case 'Create':
    case 'Upsert':
      return { operationType: kind, resourceBody };
    case 'Replace':
      return { operationType: kind, id, resourceBody, ...ifMatch };
    case 'Patch':
      return { operationType: kind, id, resourceBody: [{ op: 'incr', path: '/n', value: n }], ...ifMatch };
    case 'Read':
      return { operationType: kind, id };
    case 'Delete':
      return { operationType: kind, id, ...ifMatch } as OperationInput;
  }
}

/** Status and etag of each operation, single ones by their own calls. */
async function send(pk: string, state: ModelState, current: Exclude<Step, { kind: 'pass' }>) {
  if (current.kind === 'batch') {
    const inputs = current.operations.map((entry) => inputOf(pk, state, entry));
    const { result = [] } = await container.items.batch(inputs, pk);
    return result.map(({ statusCode, eTag }) => ({ status: statusCode, etag: eTag }));
  }
  const input = inputOf(pk, state, current.operation);
  const { id } = current.operation;
  const condition = 'ifMatch' in input && input.ifMatch !== undefined ? input.ifMatch : undefined;
  const options = condition === undefined ? {} : { accessCondition: { type: 'IfMatch', condition } };
  const call = async () => {
    const item = container.item(id, pk);
    switch (input.operationType) {
      case 'Create':
        return container.items.create(input.resourceBody);
      case 'Upsert':
        return container.items.upsert(input.resourceBody);
      case 'Replace':
        return item.replace({ id, ...input.resourceBody }, options);
      case 'Patch':
        return item.patch(input.resourceBody, options);
      case 'Read':
        return item.read();
      case 'Delete':
        return item.delete(options);
    }
  };
  const answer = await call().catch((error: { code: number }) => ({ statusCode: error.code, etag: undefined }));
  return [{ status: answer.statusCode, etag: answer.etag }];
}

async function expectSame(pk: string, state: ModelState): Promise<void> {
  const expected = [...state].map(([id, { n, etag }]) => ({ id, n, etag })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const shown = ({ id, n, _etag }: ItemDefinition) => ({ id, n, etag: _etag });
  const { resources } = await container.items.query<ItemDefinition>('SELECT * FROM c', { partitionKey: pk }).fetchAll();
  expect(resources.map(shown).toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))).toEqual(expected);
  const changeFeedStartFrom = ChangeFeedStartFrom.Beginning(pk);
  const { result } = await container.items.getChangeFeedIterator<ItemDefinition>({ changeFeedStartFrom }).readNext();
  const fed = (result ?? []).map(shown).toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  expect(fed).toEqual(expected);
}

let runs = 0;

it('items, batches and time to live do what a map in memory does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      runs += 1;
      const pk = `run-${runs}`;
      let state: ModelState = new Map();
      for (const current of steps) {
        if (current.kind === 'pass') {
          clock.nowMs += current.seconds * 1_000;
          continue;
        }
        const operations = current.kind === 'batch' ? current.operations : [current.operation];
        const answers = await send(pk, state, current);
        const nowSeconds = Math.floor(clock.nowMs / 1_000);
        const outcome = runModelBatch(state, operations, { nowSeconds, etags: answers.map(({ etag }) => etag) });
        expect(answers.map(({ status }) => status)).toEqual(outcome.statuses);
        state = outcome.state;
      }
      const nowSeconds = Math.floor(clock.nowMs / 1_000);
      const live = [...state].filter(([, { expires }]) => expires === undefined || expires > nowSeconds);
      await expectSame(pk, new Map(live));
    }),
    { numRuns: 30 },
  );
}, 60_000);
