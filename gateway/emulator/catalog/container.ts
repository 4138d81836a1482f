import { effectiveKeyReader } from '#gateway/emulator/items/effective-key.ts';
import type { Expression } from '#gateway/emulator/query/ast.ts';
import { conditionParser } from '#gateway/emulator/query/parse.ts';
import { containerRid, databaseRid, ridBytesOf } from '#gateway/emulator/resource-ids.ts';
import { type ContainerDefinition, parseDefinition } from './definition.ts';
import { type IndexLayout, indexLayout, splitPath } from './paths.ts';
import { putSql } from './table.ts';

/** A container as every operation needs it: parsed once, when it is created, replaced or first opened. */
export interface Container extends IndexLayout {
  readonly num: number;
  readonly databaseNum: number;
  readonly databaseId: string;
  readonly id: string;
  readonly rid: string;
  readonly ridBytes: Buffer;
  /** `_self` of the container; those of its items start with it. */
  readonly self: string;
  readonly ts: number;
  readonly definition: ContainerDefinition;
  readonly table: string;
  readonly partitionPaths: readonly (readonly string[])[];
  readonly isHierarchical: boolean;
  /** The effective partition key of a partition. */
  readonly effectiveKey: (pk: string) => Uint8Array;
  readonly parseCondition: (text: string) => Expression;
  /** The one statement that writes an item; its text is made once. */
  readonly putSql: string;
}

/** Every container has one partition key range, over the whole space of effective keys. */
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
  const layout = indexLayout(definition);
  const isHierarchical = definition.partitionKey.kind === 'MultiHash';
  return {
    ...layout,
    num: row.num,
    databaseNum: row.databaseNum,
    databaseId: row.databaseId,
    id: row.id,
    rid,
    ridBytes: ridBytesOf(rid),
    self: `dbs/${databaseRid(row.databaseNum)}/colls/${rid}/`,
    ts: row.ts,
    definition,
    table,
    partitionPaths: definition.partitionKey.paths.map(splitPath),
    isHierarchical,
    effectiveKey: effectiveKeyReader(isHierarchical),
    parseCondition: conditionParser(),
    putSql: putSql(table, layout),
  };
}
