import { effectiveKey } from '#gateway/emulator/items/effective-key.ts';
import type { Expression } from '#gateway/emulator/query/ast.ts';
import { parseCondition } from '#gateway/emulator/query/parse.ts';
import { type Token, tokenize } from '#gateway/emulator/query/tokens.ts';
import { remember } from '#gateway/emulator/remember.ts';
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
  /** Conditions and queries of clients: few texts, sent again and again. */
  readonly parseCondition: (text: string) => Expression;
  readonly tokenize: (text: string) => readonly Token[];
  /** The one statement that writes an item; its text is made once. */
  readonly putSql: string;
}

/** Every container has one partition key range, over the whole space of effective keys. */
export const RANGE_ID = '0';

const MAX_PARTITIONS = 10_000;
const MAX_TEXTS = 500;

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
    effectiveKey: remember((pk) => effectiveKey(pk, isHierarchical), MAX_PARTITIONS),
    parseCondition: remember(parseCondition, MAX_TEXTS),
    tokenize: remember(tokenize, MAX_TEXTS),
    putSql: putSql(table, layout),
  };
}
