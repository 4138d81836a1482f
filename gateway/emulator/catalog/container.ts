import { containerRid } from '#gateway/emulator/resource-ids.ts';
import { type ContainerDefinition, parseDefinition } from './definition.ts';
import { type IndexedPath, indexedPaths, splitPath } from './paths.ts';

/** A container as every operation needs it: parsed once, when it is created or first opened. */
export interface Container {
  readonly num: number;
  readonly databaseNum: number;
  readonly databaseId: string;
  readonly id: string;
  readonly rid: string;
  readonly ts: number;
  readonly definition: ContainerDefinition;
  readonly table: string;
  readonly partitionPaths: readonly (readonly string[])[];
  readonly indexed: readonly IndexedPath[];
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
  return {
    num: row.num,
    databaseNum: row.databaseNum,
    databaseId: row.databaseId,
    id: row.id,
    rid: containerRid(row.databaseNum, row.num),
    ts: row.ts,
    definition,
    table: `items_${row.num}`,
    partitionPaths: definition.partitionKey.paths.map(splitPath),
    indexed: indexedPaths(definition.indexingPolicy),
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
