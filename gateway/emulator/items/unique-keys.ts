import type { Container } from '#gateway/emulator/catalog/container.ts';
import { CosmosError } from '#gateway/emulator/errors.ts';
import { uniqueKey } from '#gateway/emulator/store/index-key.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';
import { deleteRow, ITEM_COLUMNS, type ItemRow, isLive, type NewRow } from './item-row.ts';

interface Claim {
  readonly row: NewRow;
  readonly nowSeconds: number;
}

/**
 * Refuses (409) a row whose unique keys another item of its partition holds. Expired holders that are still on disk
 * make room; returns their bytes.
 */
export function claimUniqueKeys(store: Store, container: Container, { row, nowSeconds }: Claim): number {
  let freedBytes = 0;
  for (const { column, paths } of container.uniqueKeys) {
    const sql = `SELECT ${ITEM_COLUMNS} FROM ${container.table} WHERE pk = ? AND ${column} = ? AND id <> ?`;
    const holder = store.prepare(sql).get(row.pk, uniqueKey(row.document, paths), row.id) as unknown as
      | ItemRow
      | undefined;
    if (holder === undefined) continue;
    if (isLive(holder, nowSeconds)) throw new CosmosError(409, 'Unique index constraint violation.');
    deleteRow(store, container, holder.doc);
    freedBytes += Buffer.byteLength(holder.body);
  }
  return freedBytes;
}
