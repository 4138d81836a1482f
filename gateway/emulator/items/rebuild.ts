import type { Container } from '#gateway/emulator/catalog/container.ts';
import { createIndexes, createTable, setTableAside } from '#gateway/emulator/catalog/table.ts';
import type { JsonObject } from '#gateway/emulator/json.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';
import { putRow } from './item-row.ts';
import { clearSizes, growPartition } from './partition-size.ts';
import { expiryOf } from './ttl.ts';

interface StoredRow {
  readonly doc: number;
  readonly pk: string;
  readonly id: string;
  readonly lsn: number;
  readonly etag: string;
  readonly ts: number;
  readonly body: string;
}

/**
 * Writes all items of a container anew under its present definition: columns and indexes follow its policy, and the
 * end of each item follows its default time to live. Runs inside one transaction, so that nobody sees it half done.
 */
export function rebuildTable(store: Store, container: Container, nowSeconds: number): void {
  const aside = setTableAside(store, container.table);
  createTable(store, container);
  clearSizes(store, container);
  // What has expired is gone; a longer time to live does not bring it back.
  const live = store.db.prepare(
    `SELECT doc, pk, id, lsn, etag, ts, body FROM ${aside} WHERE expires IS NULL OR expires > ? ORDER BY doc`,
  );
  for (const row of live.iterate(nowSeconds) as unknown as Iterable<StoredRow>) {
    const document = JSON.parse(row.body) as JsonObject;
    const expires = expiryOf(container.definition.defaultTtl, document.ttl, row.ts);
    putRow(store, container, { ...row, expires, document });
    growPartition(store, container, { pk: row.pk, bytes: Buffer.byteLength(row.body) });
  }
  store.db.exec(`DROP TABLE ${aside}`);
  createIndexes(store, container);
}
