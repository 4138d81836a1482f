import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { openCatalog } from '#gateway/emulator/catalog/catalog.ts';
import { partitionBytes } from '#gateway/emulator/items/partition-size.ts';
import { openStore } from '#gateway/emulator/store/open-store.ts';
import { newFolder, startTestEmulator, type TestEmulator } from '#test/gateway/emulator/with-emulator.ts';

const dir = newFolder();
let test: TestEmulator | undefined;
afterEach(async () => {
  await test?.close();
  rmSync(dir, { recursive: true, force: true });
});

const DEFINITION = JSON.stringify({
  id: 'c',
  partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
  indexingPolicy: {
    indexingMode: 'consistent',
    automatic: true,
    includedPaths: [{ path: '/s/?' }],
    excludedPaths: [{ path: '/*' }],
  },
  defaultTtl: -1,
});

/** A folder as it was before items had effective keys. */
function writeOldFolder(): void {
  const db = new DatabaseSync(join(dir, 'cosmos.sqlite'));
  db.exec(`PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;
    CREATE TABLE databases (num INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ts INTEGER NOT NULL);
    CREATE TABLE containers (num INTEGER PRIMARY KEY AUTOINCREMENT, database INTEGER NOT NULL REFERENCES databases(num),
      id TEXT NOT NULL, definition TEXT NOT NULL, ts INTEGER NOT NULL, UNIQUE (database, id));
    CREATE TABLE ranges (container INTEGER NOT NULL, id TEXT NOT NULL, lsn INTEGER NOT NULL, PRIMARY KEY (container, id)) WITHOUT ROWID;
    INSERT INTO databases VALUES (1, 'test', 1);
    INSERT INTO ranges VALUES (1, '0', 3);
    CREATE TABLE items_1 (doc INTEGER PRIMARY KEY, pk TEXT NOT NULL, id TEXT NOT NULL, range TEXT NOT NULL,
      lsn INTEGER NOT NULL, etag TEXT NOT NULL, ts INTEGER NOT NULL, expires INTEGER, k0 BLOB, body TEXT NOT NULL, UNIQUE (pk, id));
    CREATE INDEX items_1_feed ON items_1 (range, lsn);
    CREATE INDEX items_1_expiry ON items_1 (expires) WHERE expires IS NOT NULL;
    CREATE INDEX items_1_k0 ON items_1 (pk, k0) WHERE k0 IS NOT NULL;`);
  db.prepare('INSERT INTO containers VALUES (1, 1, ?, ?, 1)').run('c', DEFINITION);
  const insert = db.prepare(`INSERT INTO items_1 VALUES (?, '["p"]', ?, '0', ?, ?, 1, ?, NULL, ?)`);
  for (const [id, lsn] of [
    ['a', 1],
    ['b', 2],
    ['h', 3],
  ] as const) {
    const body = JSON.stringify({ id, pk: 'p', ...(id === 'h' ? {} : { s: `s${lsn}` }) });
    insert.run(lsn * 128, id, lsn, `"etag-${id}"`, null, body);
  }
  db.close();
}

it('a folder of an older shape is written anew once: its items, etags and places in the feed stay', async () => {
  writeOldFolder();
  test = await startTestEmulator({ dir });
  const container = test.client.database('test').container('c');
  expect((await container.item('a', 'p').read()).etag).toBe('"etag-a"');
  const query = 'SELECT VALUE c.id FROM c WHERE c.s > "s0" ORDER BY c.s';
  expect((await container.items.query(query, { partitionKey: 'p' }).fetchAll()).resources).toEqual(['a', 'b']);
  const [range] = await container.getFeedRanges();
  expect(range).toBeDefined();
  const { resource } = await container.items.create({ id: 'new', pk: 'p' });
  expect(resource?._etag).toContain('000000000004"');
  await test.emulator.close();
  const store = openStore(dir);
  const [reopened] = openCatalog(store).allContainers();
  const bodies = Number(store.prepare('SELECT sum(length(body)) AS bytes FROM items_1').get()?.bytes);
  expect(reopened && partitionBytes(store, reopened, '["p"]')).toBe(bodies);
  store.close();
});
