import { DatabaseSync } from 'node:sqlite';
import { addFunctions, type Store, storeOf } from './open-store.ts';

/** A second, read-only connection, which stands at one commit however many follow it. */
export interface Snapshot {
  readonly store: Store;
  /** Lets go of the commit that it stands at and stands at the latest one. */
  pin(): void;
  close(): void;
}

/** The database must be open for writing in this process. Nothing is copied; the write-ahead log keeps what it sees. */
export function openSnapshot(databasePath: string): Snapshot {
  const db = new DatabaseSync(databasePath, { readOnly: true, timeout: 5_000 });
  db.exec('PRAGMA cache_size = -8192');
  addFunctions(db);
  const store = storeOf(db, databasePath, () => db.close());
  return {
    store,
    pin() {
      if (db.isTransaction) db.exec('COMMIT');
      // A transaction only stands at a commit once it has read.
      db.exec('BEGIN; SELECT 1 FROM databases LIMIT 1;');
    },
    close: () => store.close(),
  };
}
