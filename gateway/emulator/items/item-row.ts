import type { Container } from '#gateway/emulator/catalog/container.ts';
import type { JsonObject } from '#gateway/emulator/json.ts';
import { itemRid } from '#gateway/emulator/resource-ids.ts';
import { columnKey, uniqueKey } from '#gateway/emulator/store/index-key.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';

/** An item as stored: the body without the properties that the service owns. */
export interface ItemRow {
  readonly doc: number;
  readonly id: string;
  readonly lsn: number;
  readonly etag: string;
  readonly ts: number;
  /** Epoch seconds; from then on the item is gone, purged or not. */
  readonly expires: number | null;
  readonly body: string;
}

/** Columns that make an `ItemRow`. */
export const ITEM_COLUMNS = 'doc, id, lsn, etag, ts, expires, body';

/** Rows that are still there at `now` (bound in seconds). */
export const LIVE = '(expires IS NULL OR expires > ?)';

export const isLive = (row: ItemRow, nowSeconds: number): boolean => row.expires === null || row.expires > nowSeconds;

/** The row of a key, expired or not. */
export function readRow(store: Store, container: Container, { pk, id }: ItemKey): ItemRow | undefined {
  const sql = `SELECT ${ITEM_COLUMNS} FROM ${container.table} WHERE pk = ? AND id = ?`;
  return store.prepare(sql).get(pk, id) as unknown as ItemRow | undefined;
}

export interface ItemKey {
  readonly pk: string;
  readonly id: string;
}

export interface NewRow extends ItemRow {
  readonly pk: string;
  readonly document: JsonObject;
}

/** Writes a row, in place of any row with the same key (a live one that is replaced, or an expired one). */
export function putRow(store: Store, container: Container, row: NewRow): void {
  const { doc, pk, id, lsn, etag, ts, expires, body, document } = row;
  const keys = container.indexed.map(({ path }) => columnKey(document, path));
  const uniques = container.uniqueKeys.map(({ paths }) => uniqueKey(document, paths));
  const values = [doc, pk, id, container.effectiveKey(pk), lsn, etag, ts, expires, body];
  store.prepare(container.putSql).run(...values, ...keys, ...uniques);
}

export function deleteRow(store: Store, container: Container, doc: number): void {
  store.prepare(`DELETE FROM ${container.table} WHERE doc = ?`).run(doc);
}

/** The item as JSON text, with the service's own properties. Appended as text: bodies are never parsed to be read. */
export function renderItem(container: Container, row: ItemRow, extra = ''): string {
  const rid = itemRid(container.ridBytes, row.doc);
  const etag = JSON.stringify(row.etag);
  return `${row.body.slice(0, -1)},"_rid":"${rid}","_self":"${container.self}docs/${rid}/","_etag":${etag},"_attachments":"attachments/","_ts":${row.ts}${extra}}`;
}
