import type { Catalog } from '#gateway/emulator/catalog/catalog.ts';
import { growPartition } from '#gateway/emulator/items/partition-size.ts';
import type { Store } from './open-store.ts';

/** Of one container in one go, so that a purge never holds up a group. */
export const MAX_PURGED = 500;

/** Removes some expired items of every container and says how many; runs inside a group commit. No reader sees them anyway. */
export function purgeExpired(store: Store, catalog: Catalog, nowSeconds: number): number {
  let purged = 0;
  for (const container of catalog.allContainers()) {
    const { table } = container;
    const sql = `DELETE FROM ${table} WHERE doc IN (SELECT doc FROM ${table} WHERE expires <= ? LIMIT ${MAX_PURGED})
      RETURNING pk, octet_length(body) AS bytes`;
    const rows = store.prepare(sql).all(nowSeconds);
    for (const { pk, bytes } of rows) growPartition(store, container, { pk: String(pk), bytes: -Number(bytes) });
    purged += rows.length;
  }
  return purged;
}
