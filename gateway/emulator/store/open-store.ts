import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { columnKey } from './index-key.ts';

/** The one open database of an endpoint, with its statements prepared once per text. */
export interface Store {
  readonly db: DatabaseSync;
  readonly databasePath: string;
  readonly walPath: string;
  prepare(sql: string): StatementSync;
  close(): void;
}

/** A folder that cannot be used, told in one sentence for the person who named it. */
export class StoreUnusable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'StoreUnusable';
  }
}

const MAX_STATEMENTS = 512;

/** What the log may keep of the disk once it has started over; a lag lets it grow far above. */
const MAX_IDLE_LOG_BYTES = 256 * 1024 * 1024;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS databases (
  num INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ts INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS containers (
  num INTEGER PRIMARY KEY AUTOINCREMENT, database INTEGER NOT NULL REFERENCES databases(num), id TEXT NOT NULL,
  definition TEXT NOT NULL, ts INTEGER NOT NULL, UNIQUE (database, id));
CREATE TABLE IF NOT EXISTS ranges (
  container INTEGER NOT NULL, id TEXT NOT NULL, lsn INTEGER NOT NULL, PRIMARY KEY (container, id)) WITHOUT ROWID;
`;

/**
 * Opens (or creates) the database of `dir`. A lock that dies with the process keeps a second endpoint out, because
 * two writers would each believe in their own sequence numbers.
 */
export function openStore(dir: string): Store {
  const databasePath = join(dir, 'cosmos.sqlite');
  const lock = lockFolder(dir);
  try {
    const db = openDatabase(databasePath);
    syncFolder(dir);
    return storeOf(db, databasePath, () => {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
      lock.close();
    });
  } catch (cause) {
    lock.close();
    throw new StoreUnusable(`The data in ${dir} cannot be opened: ${(cause as Error).message}.`, cause);
  }
}

/** A store over an open connection. */
export function storeOf(db: DatabaseSync, databasePath: string, close: () => void): Store {
  const statements = new Map<string, StatementSync>();
  return {
    db,
    databasePath,
    walPath: `${databasePath}-wal`,
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      const statement = db.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    close() {
      statements.clear();
      close();
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(`PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -65536; PRAGMA foreign_keys = ON;
    PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES};`);
  db.exec(SCHEMA);
  addFunctions(db);
  return db;
}

/** What statements call that SQLite does not have; every connection needs them. */
export function addFunctions(db: DatabaseSync): void {
  // Sorting by a path without a column of its own.
  db.function('sort_key', { deterministic: true }, (body, path) =>
    columnKey(JSON.parse(String(body)), JSON.parse(String(path)) as string[]),
  );
}

function lockFolder(dir: string): DatabaseSync {
  let lock: DatabaseSync;
  try {
    mkdirSync(dir, { recursive: true });
    lock = new DatabaseSync(join(dir, 'lock.sqlite'), { timeout: 0 });
  } catch (cause) {
    throw new StoreUnusable(`The folder ${dir} cannot be written: ${(cause as Error).message}.`, cause);
  }
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
    return lock;
  } catch (cause) {
    lock.close();
    const busy = /locked|busy/i.test((cause as Error).message);
    const message = busy
      ? `Another Cosmos endpoint already uses ${dir}.`
      : `The folder ${dir} cannot be written: ${(cause as Error).message}.`;
    throw new StoreUnusable(message, cause);
  }
}

/** The names of new files are durable only after their folder is. */
function syncFolder(dir: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
