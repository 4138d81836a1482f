import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Catalog, openCatalog } from '#gateway/emulator/catalog/catalog.ts';
import type { Container } from '#gateway/emulator/catalog/container.ts';
import { applyOperation } from '#gateway/emulator/items/apply-operation.ts';
import { partitionBytes } from '#gateway/emulator/items/partition-size.ts';
import { runInPartition } from '#gateway/emulator/items/request-scope.ts';
import { startCheckpointer } from '#gateway/emulator/store/checkpointer.ts';
import { startGroupCommit } from '#gateway/emulator/store/group-commit.ts';
import { openSnapshot } from '#gateway/emulator/store/open-snapshot.ts';
import { openStore, type Store } from '#gateway/emulator/store/open-store.ts';
import { purgeExpired } from '#gateway/emulator/store/purge.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { newFolder } from './with-emulator.ts';

let dir: string;
let store: Store;
let catalog: Catalog;
let container: Container;
beforeEach(() => {
  dir = newFolder();
  store = openStore(dir);
  catalog = openCatalog(store);
  catalog.createDatabase('d', 1);
  container = catalog.createContainer('d', { id: 'c', partitionKey: { paths: ['/pk'] }, defaultTtl: -1 }, 1);
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

function create(document: object, nowSeconds = 1): void {
  runInPartition({ store, container, pk: '["p"]', nowSeconds }, (scope) =>
    applyOperation({ ...scope, operation: 0 }, { kind: 'create', document, guards: {} }),
  );
}

const rows = (): number => Number(store.prepare(`SELECT count(*) AS n FROM ${container.table}`).get()?.n);

it('expired items leave the disk, others stay', () => {
  create({ id: 'short', pk: 'p', ttl: 10 });
  create({ id: 'long', pk: 'p', ttl: 100 });
  create({ id: 'ever', pk: 'p' });
  expect(purgeExpired(store, catalog, 10)).toBe(0);
  const before = partitionBytes(store, container, '["p"]');
  expect(purgeExpired(store, catalog, 11)).toBe(1);
  expect(rows()).toBe(2);
  expect(before - partitionBytes(store, container, '["p"]')).toBe('{"id":"short","pk":"p","ttl":10}'.length);
});

it('the log starts over under writes that never pause, and nothing is lost', async () => {
  let restarts = 0;
  const fatal: Error[] = [];
  const onFatal = (error: Error): void => void fatal.push(error);
  const onRestart = (): void => {
    restarts += 1;
  };
  const checkpointer = startCheckpointer(store, { onFatal, onRestart, writesPerCheckpoint: 20, maxLogPages: 50 });
  const commit = startGroupCommit(store, { onFatal, onFlushed: checkpointer.noteWrites });
  let written = 0;
  const deadline = Date.now() + 15_000;
  while (restarts < 3 && Date.now() < deadline) {
    await commit.submit(() => create({ id: String(written), pk: 'p', fill: 'x'.repeat(6_000) }));
    written += 1;
  }
  await commit.submit(() => create({ id: 'last', pk: 'p' }));
  await commit.close();
  await checkpointer.close();
  const pages = store.db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.log;
  expect({ restarts, fatal }).toEqual({ restarts: 3, fatal: [] });
  expect(rows()).toBe(written + 1);
  // What was written after the last restart stands at the beginning of the log, not behind all the earlier ones.
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(20);
});

it('the log goes on while someone reads an older part of it, says when that is too long, and starts over after', async () => {
  let restarts = 0;
  let warnings = 0;
  const onFatal = (error: Error): void => expect.fail(error.message);
  const onRestart = (): void => {
    restarts += 1;
  };
  const onHeldTooLong = (): void => {
    warnings += 1;
  };
  const checkpointer = startCheckpointer(store, {
    onFatal,
    onRestart,
    onHeldTooLong,
    writesPerCheckpoint: 20,
    maxLogPages: 50,
    maxHeldLogPages: 100,
  });
  const commit = startGroupCommit(store, { onFatal, onFlushed: checkpointer.noteWrites });
  let written = 0;
  const write = () => commit.submit(() => create({ id: String(written++), pk: 'p', fill: 'x'.repeat(6_000) }));
  const snapshot = openSnapshot(store.databasePath);
  const release = checkpointer.hold();
  snapshot.pin();
  await waitUntil(async () => {
    await write();
    return warnings > 0;
  });
  expect(restarts).toBe(0);
  const count = `SELECT count(*) AS n FROM ${container.table}`;
  expect(snapshot.store.prepare(count).get()?.n).toBe(0);
  snapshot.close();
  release();
  await waitUntil(async () => {
    await write();
    return restarts > 0;
  });
  expect(rows()).toBe(written);
  await commit.close();
  await checkpointer.close();
});
