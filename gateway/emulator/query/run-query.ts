import type { Container } from '#gateway/emulator/catalog/container.ts';
import { queryCharge } from '#gateway/emulator/items/charge.ts';
import { type KeyRange, keyRangeSql } from '#gateway/emulator/items/effective-key.ts';
import { ITEM_COLUMNS, type ItemRow, LIVE, renderItem } from '#gateway/emulator/items/item-row.ts';
import { LIMITS } from '#gateway/emulator/items/limits.ts';
import type { PartitionScope } from '#gateway/emulator/items/partition-key.ts';
import type { Json } from '#gateway/emulator/json.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';
import type { Query, Selection } from './ast.ts';
import { type Continuation, queryHash, readContinuation, writeContinuation } from './continuation.ts';
import { evaluate } from './evaluate.ts';
import { afterSql, type OrderKey, orderSql, type RowPosition } from './order.ts';
import { type Plan, planQuery } from './plan.ts';

export interface QueryScope {
  readonly store: Store;
  readonly container: Container;
  /** Undefined reads every partition. */
  readonly partition: PartitionScope | undefined;
  /** Undefined reads the whole range. */
  readonly range: KeyRange | undefined;
  readonly nowSeconds: number;
  readonly allowScan: boolean;
  readonly pageItems: number;
  readonly continuation: string | undefined;
}

export interface QueryPage {
  /** Each result as JSON text. */
  readonly results: readonly string[];
  readonly continuation: string | undefined;
  readonly chargeRu: number;
}

/** A row with the keys of its order, `o0`, `o1`, … */
type OrderedRow = ItemRow & Readonly<Record<`o${number}`, OrderKey>>;

/** Rows looked at in one page; a selective filter then continues on the next page instead of holding the thread. */
const MAX_EXAMINED = 20_000;

/** Runs one page of a query. The rows come in order from one SQL statement; only the rest of the filter is ours. */
export function runQuery(scope: QueryScope, query: Query): QueryPage {
  const { container, partition, range, allowScan } = scope;
  const plan = planQuery(container, query, { isOnePartition: partition?.pk !== undefined, allowScan });
  if (query.selection.kind === 'count') return countPage(scope, plan, query.selection.name);
  // Most queries are one page and need no token.
  const hash = (): string => queryHash([container.rid, partition?.values ?? null, range ?? null, query]);
  const start = scope.continuation === undefined ? undefined : readContinuation(hash(), scope.continuation);
  const page = readPage(scope, query, { plan, start });
  return {
    results: page.results,
    continuation: page.next === undefined ? undefined : writeContinuation(hash(), page.next),
    chargeRu: queryCharge(page.examined, page.bytes),
  };
}

interface PageStart {
  readonly plan: Plan;
  readonly start: Continuation | undefined;
}

interface Page {
  readonly results: readonly string[];
  readonly next: Continuation | undefined;
  readonly examined: number;
  readonly bytes: number;
}

function readPage(scope: QueryScope, query: Query, { plan, start }: PageStart): Page {
  const results: string[] = [];
  let offset = start?.offset ?? query.offset;
  let limit = start === undefined ? query.limit : start.limit;
  let examined = 0;
  let bytes = 0;
  let outputBytes = 0;
  let last: OrderedRow | undefined;
  const page = (next: Continuation | undefined): Page => ({ results, next, examined, bytes });
  if (limit === 0) return page(undefined);

  for (const row of rowsOf(scope, plan, start?.after)) {
    const isFull = results.length >= scope.pageItems || examined >= MAX_EXAMINED;
    if (isFull && last !== undefined) return page({ after: positionOf(plan, last), offset, limit });
    examined += 1;
    bytes += row.body.length;
    const text = plan.residual === undefined && offset > 0 ? '' : renderItem(scope.container, row);
    const passes = plan.residual === undefined || evaluate(plan.residual, JSON.parse(text) as Json) === true;
    if (passes && offset > 0) offset -= 1;
    else if (passes) {
      const result = project(query.selection, text);
      const sizeBytes = result === undefined ? 0 : Buffer.byteLength(result);
      const isTooMuch = results.length > 0 && outputBytes + sizeBytes > LIMITS.pageBytes;
      if (isTooMuch && last !== undefined) return page({ after: positionOf(plan, last), offset, limit });
      if (result !== undefined) results.push(result);
      outputBytes += sizeBytes;
      if (limit !== undefined) limit -= 1;
      if (limit === 0) return page(undefined);
    }
    last = row;
  }
  return page(undefined);
}

function positionOf({ order }: Plan, row: OrderedRow): RowPosition {
  return { keys: order.parts.map((_, at) => row[`o${at}`] ?? 0), doc: row.doc };
}

function rowsOf(scope: QueryScope, plan: Plan, after: RowPosition | undefined): Iterable<OrderedRow> {
  const { parts } = plan.order;
  const filter = filterSql(scope, plan);
  const keyset = after === undefined ? { sql: 'TRUE', values: [] } : afterSql(plan.order, after);
  const keys = parts.map(({ sql }, at) => `${sql} AS o${at}`).join(', ');
  const sql = `SELECT ${ITEM_COLUMNS}, ${keys} FROM ${filter.from} WHERE ${filter.where} AND ${keyset.sql}
    ORDER BY ${orderSql(plan.order)}`;
  const bound = parts.flatMap(({ values }) => values);
  const values = [...bound, ...filter.values, ...keyset.values, ...bound];
  return scope.store.prepare(sql).iterate(...values) as unknown as Iterable<OrderedRow>;
}

interface FilterSql {
  readonly from: string;
  readonly where: string;
  readonly values: readonly OrderKey[];
}

function filterSql({ container, partition, range, nowSeconds }: QueryScope, plan: Plan): FilterSql {
  const { table } = container;
  const index = plan.index === undefined ? '' : ` INDEXED BY ${table}_${plan.index}`;
  const parts: { readonly sql: string; readonly values: readonly OrderKey[] }[] = [
    ...(partition === undefined ? [] : [partition]),
    ...(range === undefined ? [] : [keyRangeSql(range)]),
    ...plan.conditions,
    { sql: LIVE, values: [nowSeconds] },
  ];
  return {
    from: `${table}${index}`,
    where: parts.map((part) => part.sql).join(' AND '),
    values: parts.flatMap((part) => part.values),
  };
}

/** A count needs all rows at once: the service's clients add pages up, but only inside their own query pipeline. */
function countPage(scope: QueryScope, plan: Plan, name: string | undefined): QueryPage {
  const { where, values, from } = filterSql(scope, plan);
  let matched = 0;
  let examined = 0;
  if (plan.residual === undefined) {
    const row = scope.store.prepare(`SELECT count(*) AS n FROM ${from} WHERE ${where}`).get(...values);
    matched = Number(row?.n);
    examined = matched;
  } else {
    for (const row of rowsOf(scope, plan, undefined)) {
      examined += 1;
      if (evaluate(plan.residual, JSON.parse(renderItem(scope.container, row)) as Json) === true) matched += 1;
    }
  }
  const result = name === undefined ? String(matched) : JSON.stringify({ [name]: matched });
  return { results: [result], continuation: undefined, chargeRu: queryCharge(examined, 0) };
}

/** The JSON text of one result; undefined when VALUE of an absent property selects nothing. */
function project(selection: Selection, text: string): string | undefined {
  if (selection.kind === 'all' || selection.kind === 'count') return text;
  const document = JSON.parse(text) as Json;
  if (selection.kind === 'value') return JSON.stringify(evaluate(selection.expression, document));
  const fields = selection.fields.map(({ name, expression }) => [name, evaluate(expression, document)] as const);
  return JSON.stringify(Object.fromEntries(fields));
}
