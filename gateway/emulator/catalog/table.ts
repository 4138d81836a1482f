import type { Store } from '#gateway/emulator/store/open-store.ts';
import type { IndexLayout } from './paths.ts';

/** What decides the table of a container. */
export interface TableLayout extends IndexLayout {
  readonly table: string;
}

/** Columns of every container, in the order in which a row is bound; those of its indexes follow. */
const FIXED_COLUMNS = ['doc', 'pk', 'id', 'epk', 'lsn', 'etag', 'ts', 'expires', 'body'] as const;

/** The statement that writes an item. Takes the place of any row with the same key. */
export function putSql(table: string, layout: IndexLayout): string {
  const names = [...FIXED_COLUMNS, ...layout.indexed.map(columnName), ...layout.uniqueKeys.map(columnName)];
  const updates = names.filter((name) => !KEY_COLUMNS.has(name)).map((name) => `${name} = excluded.${name}`);
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
    ON CONFLICT (pk, id) DO UPDATE SET ${updates.join(', ')}`;
}

const KEY_COLUMNS: ReadonlySet<string> = new Set(['pk', 'id', 'epk']);

export function createTable(store: Store, layout: TableLayout): void {
  const keys = [...layout.indexed, ...layout.uniqueKeys].map(({ column }) => `${column} BLOB NOT NULL, `);
  store.db.exec(`CREATE TABLE ${layout.table} (
    doc INTEGER PRIMARY KEY, pk TEXT NOT NULL, id TEXT NOT NULL, epk BLOB NOT NULL, lsn INTEGER NOT NULL,
    etag TEXT NOT NULL, ts INTEGER NOT NULL, expires INTEGER, ${keys.join('')}body TEXT NOT NULL, UNIQUE (pk, id))`);
}

/** The feed's index holds the effective key too, so that a part of a range skips the other items without reading them. */
export function createIndexes(store: Store, { table, indexed, composites, uniqueKeys }: TableLayout): void {
  const simple = indexed.filter(({ isSimple }) => isSimple);
  store.db.exec(`CREATE INDEX ${table}_feed ON ${table} (lsn, epk);
    CREATE INDEX ${table}_expiry ON ${table} (expires) WHERE expires IS NOT NULL;
    ${simple.map(({ column }) => `CREATE INDEX ${table}_${column} ON ${table} (pk, ${column});`).join('')}
    ${composites.map((index) => `CREATE INDEX ${table}_${index.name} ON ${table} (pk, ${index.parts.map(partSql).join(', ')});`).join('')}
    ${uniqueKeys.map(({ column }) => `CREATE UNIQUE INDEX ${table}_${column} ON ${table} (pk, ${column});`).join('')}`);
}

/** Moves a table and its indexes out of the way; says under which name its rows are found. */
export function setTableAside(store: Store, table: string): string {
  const aside = `${table}_aside`;
  const indexes = store.db.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
  );
  for (const { name } of indexes.all(table)) store.db.exec(`DROP INDEX ${String(name)}`);
  store.db.exec(`ALTER TABLE ${table} RENAME TO ${aside}`);
  return aside;
}

const columnName = ({ column }: { readonly column: string }): string => column;

const partSql = ({ column, descending }: { readonly column: string; readonly descending: boolean }): string =>
  descending ? `${column} DESC` : column;
