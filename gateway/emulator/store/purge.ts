import type { Catalog } from '#gateway/emulator/catalog/catalog.ts';
import type { Store } from './open-store.ts';

const MAX_PURGED = 500;

/** Removes some expired items of every container; runs inside a group commit. Readers never saw them anyway. */
export function purgeExpired(store: Store, catalog: Catalog, nowSeconds: number): number {
  let purged = 0;
  for (const { table } of catalog.allContainers()) {
    const sql = `DELETE FROM ${table} WHERE doc IN (SELECT doc FROM ${table} WHERE expires <= ? LIMIT ${MAX_PURGED})`;
    purged += Number(store.prepare(sql).run(nowSeconds).changes);
  }
  return purged;
}
