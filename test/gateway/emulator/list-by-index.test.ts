import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCatalog } from '#gateway/emulator/catalog/catalog.ts';
import type { Container } from '#gateway/emulator/catalog/container.ts';
import { applyOperation } from '#gateway/emulator/items/apply-operation.ts';
import { runInPartition } from '#gateway/emulator/items/request-scope.ts';
import { parseQuery } from '#gateway/emulator/query/parse.ts';
import { runQuery } from '#gateway/emulator/query/run-query.ts';
import { openStore, type Store } from '#gateway/emulator/store/open-store.ts';

const EDGES = 50_000;
const QUERY = 'SELECT * FROM c WHERE c.s > @after AND c.s < @end ORDER BY c.s OFFSET 0 LIMIT @n';
const dir = mkdtempSync(join(tmpdir(), 'habitat-cosmos-'));
let store: Store;
let container: Container;

beforeAll(() => {
  store = openStore(dir);
  const catalog = openCatalog(store);
  catalog.createDatabase('d', 1);
  const indexingPolicy = { includedPaths: [{ path: '/s/?' }], excludedPaths: [{ path: '/*' }] };
  container = catalog.createContainer('d', { id: 'c', partitionKey: { paths: ['/pk'] }, indexingPolicy }, 1);
  store.db.exec('BEGIN');
  for (let at = 0; at < EDGES; at += 1) {
    const document = { id: `e~likes~${at}`, pk: 'p', s: `likes~${String(at).padStart(16, '0')}` };
    runInPartition({ store, container, pk: '["p"]', nowSeconds: 1 }, (scope) =>
      applyOperation({ ...scope, operation: 0 }, { kind: 'create', document, guards: {} }),
    );
  }
  store.db.exec('COMMIT');
});
afterAll(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

function list(after: number, n: number) {
  const parameters = new Map<string, string | number>([
    ['@after', `likes~${String(after).padStart(16, '0')}`],
    ['@end', 'likes~~'],
    ['@n', n],
  ]);
  const scope = {
    store,
    container,
    partition: { pk: '["p"]', sql: 'pk = ?', values: ['["p"]'] },
    range: undefined,
    nowSeconds: 1,
    allowScan: false,
    pageItems: 1_000,
    continuation: undefined,
  };
  return runQuery(scope, parseQuery(QUERY, parameters));
}

it('a page from the middle of 50,000 edges is read through the index of its path, without a sort', () => {
  const prepared: string[] = [];
  const watched: Store = {
    ...store,
    prepare(sql) {
      prepared.push(sql);
      return store.prepare(sql);
    },
  };
  const scope = {
    store: watched,
    container,
    partition: { pk: '["p"]', sql: 'pk = ?', values: ['["p"]'] },
    range: undefined,
    nowSeconds: 1,
    allowScan: false,
    pageItems: 1_000,
    continuation: undefined,
  };
  const parameters = new Map([
    ['@after', 'likes~0000000000030000'],
    ['@end', 'likes~~'],
  ]);
  runQuery(scope, parseQuery(QUERY.replace('@n', '10'), parameters));
  const [sql] = prepared;
  const placeholders = [...String(sql).matchAll(/\?/g)].map(() => 1);
  const plan = store.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...placeholders);
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH items_1 USING INDEX items_1_k0 \(pk=\? AND k0>\?/),
  ]);
});

it('the pages hold exactly the edges asked for, and their price does not grow with the partition', () => {
  const { results, chargeRu } = list(30_000, 10);
  expect(results.map((text) => JSON.parse(text).id)).toEqual(
    Array.from({ length: 10 }, (_, at) => `e~likes~${30_001 + at}`),
  );
  expect(chargeRu).toBe(list(5, 10).chargeRu);
  expect(list(EDGES - 3, 10).results).toHaveLength(2);
});
