import { type Container, RANGE_ID } from '#gateway/emulator/catalog/container.ts';
import type { JsonObject } from '#gateway/emulator/json.ts';
import { itemRid } from '#gateway/emulator/resource-ids.ts';
import { indexKey } from '#gateway/emulator/store/index-key.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';

/** An item as stored: the body without the properties that the service owns. */
export interface ItemRow {
  readonly doc: number;
  readonly id: string;
  readonly lsn: number;
  readonly etag: string;
  readonly ts: number;
  readonly body: string;
}

/** Columns that make an `ItemRow`. */
export const ITEM_COLUMNS = 'doc, id, lsn, etag, ts, body';

/** Rows that are still there at `now` (bound in seconds): an expired item is gone, purged or not. */
export const LIVE = '(expires IS NULL OR expires > ?)';

export function readRow(store: Store, container: Container, key: ItemKey): ItemRow | undefined {
  const sql = `SELECT ${ITEM_COLUMNS} FROM ${container.table} WHERE pk = ? AND id = ? AND ${LIVE}`;
  return store.prepare(sql).get(key.pk, key.id, key.nowSeconds) as unknown as ItemRow | undefined;
}

export interface ItemKey {
  readonly pk: string;
  readonly id: string;
  readonly nowSeconds: number;
}

export interface NewRow extends ItemRow {
  readonly pk: string;
  readonly expires: number | null;
  readonly document: JsonObject;
}

/** Writes a row, in place of any row with the same key (a live one that is replaced, or an expired one). */
export function putRow(store: Store, container: Container, row: NewRow): void {
  const keys = container.indexed.map(({ path }) => indexKey(row.document, path) ?? null);
  store
    .prepare(container.putSql)
    .run(row.doc, row.pk, row.id, RANGE_ID, row.lsn, row.etag, row.ts, row.expires, row.body, ...keys);
}

export function deleteRow(store: Store, container: Container, doc: number): void {
  store.prepare(`DELETE FROM ${container.table} WHERE doc = ?`).run(doc);
}

/** The item as JSON text, with the service's own properties. Appended as text: bodies are never parsed to be read. */
export function renderItem(container: Container, row: ItemRow, extra = ''): string {
  const rid = itemRid(container.rid, row.doc);
  const etag = JSON.stringify(row.etag);
  return `${row.body.slice(0, -1)},"_rid":"${rid}","_self":"${container.self}docs/${rid}/","_etag":${etag},"_attachments":"attachments/","_ts":${row.ts}${extra}}`;
}
