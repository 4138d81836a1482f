import { containerRid, databaseRid } from '#gateway/emulator/resource-ids.ts';
import { type ContainerDefinition, parseDefinition } from './definition.ts';
import { type IndexedPath, indexedPaths, splitPath } from './paths.ts';

/** A container as every operation needs it: parsed once, when it is created or first opened. */
export interface Container {
  readonly num: number;
  readonly databaseNum: number;
  readonly databaseId: string;
  readonly id: string;
  readonly rid: string;
  /** `_self` of the container; those of its items start with it. */
  readonly self: string;
  readonly ts: number;
  readonly definition: ContainerDefinition;
  readonly table: string;
  readonly partitionPaths: readonly (readonly string[])[];
  readonly indexed: readonly IndexedPath[];
  /** The one statement that writes an item; its text is made once. */
  readonly putSql: string;
}

/** Every container has one partition key range today; items already carry its id, so that a split can come. */
export const RANGE_ID = '0';

export interface ContainerRow {
  readonly num: number;
  readonly databaseNum: number;
  readonly databaseId: string;
  readonly id: string;
  readonly definition: string;
  readonly ts: number;
}

export function containerFromRow(row: ContainerRow): Container {
  const definition = parseDefinition(JSON.parse(row.definition));
  const rid = containerRid(row.databaseNum, row.num);
  const table = `items_${row.num}`;
  const indexed = indexedPaths(definition.indexingPolicy);
  return {
    num: row.num,
    databaseNum: row.databaseNum,
    databaseId: row.databaseId,
    id: row.id,
    rid,
    self: `dbs/${databaseRid(row.databaseNum)}/colls/${rid}/`,
    ts: row.ts,
    definition,
    table,
    partitionPaths: definition.partitionKey.paths.map(splitPath),
    indexed,
    putSql: putSql(table, indexed),
  };
}

/** Tables and indexes of a new container. Index entries end in the row number, which makes keyset paging exact. */
export function createTableSql(container: Container): string {
  const { table, indexed } = container;
  const columns = indexed.map(({ column }) => `${column} BLOB, `).join('');
  const indexes = indexed.map(
    ({ column }) => `CREATE INDEX ${table}_${column} ON ${table} (pk, ${column}) WHERE ${column} IS NOT NULL;`,
  );
  return `CREATE TABLE ${table} (
    doc INTEGER PRIMARY KEY, pk TEXT NOT NULL, id TEXT NOT NULL, range TEXT NOT NULL, lsn INTEGER NOT NULL,
    etag TEXT NOT NULL, ts INTEGER NOT NULL, expires INTEGER, ${columns}body TEXT NOT NULL, UNIQUE (pk, id));
    CREATE INDEX ${table}_feed ON ${table} (range, lsn);
    CREATE INDEX ${table}_expiry ON ${table} (expires) WHERE expires IS NOT NULL;
    ${indexes.join('\n')}`;
}

/** Columns in the order in which a row is bound. Takes the place of any row with the same key. */
function putSql(table: string, indexed: readonly IndexedPath[]): string {
  const columns = indexed.map(({ column }) => column);
  const names = ['doc', 'pk', 'id', 'range', 'lsn', 'etag', 'ts', 'expires', 'body', ...columns];
  const updates = names.filter((name) => name !== 'pk' && name !== 'id').map((name) => `${name} = excluded.${name}`);
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
    ON CONFLICT (pk, id) DO UPDATE SET ${updates.join(', ')}`;
}
