import { SIZES_SQL } from '#gateway/emulator/items/partition-size.ts';
import { rebuildTable } from '#gateway/emulator/items/rebuild.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';
import type { Container } from './container.ts';

/** Counts the shapes that tables of items have had. 1: effective keys, a key for every path, sizes of partitions. */
const TABLE_FORMAT = 1;

/** Nothing that was kept has expired for a rebuild at this time: what has is left to the purge. */
const BEFORE_ALL_TIME = -1;

/** Brings the tables of an older folder into today's shape, all or none; a snapshot finds that done. */
export function upgradeTables(store: Store, allContainers: () => readonly Container[]): void {
  const format = Number(store.db.prepare('PRAGMA user_version').get()?.user_version);
  if (format === TABLE_FORMAT) return;
  store.db.exec('BEGIN IMMEDIATE');
  try {
    store.db.exec(SIZES_SQL);
    for (const container of allContainers()) rebuildTable(store, container, BEFORE_ALL_TIME);
    store.db.exec(`PRAGMA user_version = ${TABLE_FORMAT}; COMMIT;`);
  } catch (error) {
    store.db.exec('ROLLBACK');
    throw error;
  }
}
