import type { Container } from '#gateway/emulator/catalog/container.ts';
import { type CompositeIndex, OWN_COLUMNS } from '#gateway/emulator/catalog/paths.ts';
import { badRequest } from '#gateway/emulator/errors.ts';
import type { OrderPath } from './ast.ts';
import { pathColumn } from './sql-condition.ts';

/** The order of a query in SQL; ties are broken by the row number, so that a page can start after any row. */
export interface Order {
  readonly parts: readonly OrderPart[];
  /** The last direction, in which equal rows stand. */
  readonly docDescending: boolean;
  /** The composite index that serves it. */
  readonly composite: string | undefined;
}

export interface OrderPart {
  readonly sql: string;
  /** What `sql` binds. */
  readonly values: readonly string[];
  readonly descending: boolean;
}

export type OrderKey = string | number | Uint8Array;

/** Without ORDER BY the order is the one that costs nothing: ids within a partition, else the order of arrival. */
export function orderOf(container: Container, order: readonly OrderPath[], isOnePartition: boolean): Order {
  const [first] = order;
  if (first === undefined) {
    const sql = isOnePartition ? 'id' : 'doc';
    return { parts: [{ sql, values: [], descending: false }], docDescending: false, composite: undefined };
  }
  if (order.length > 1) return compositeOrder(container, order);
  const sql = columnOf(container, first);
  const { descending } = first;
  const part =
    sql === undefined ? { sql: 'sort_key(body, ?)', values: [JSON.stringify(first.path)] } : { sql, values: [] };
  return { parts: [{ ...part, descending }], docDescending: descending, composite: undefined };
}

/** Several paths are served by a composite index of exactly these, read from either end. */
function compositeOrder(container: Container, order: readonly OrderPath[]): Order {
  const columns = order.map((entry) => columnOf(container, entry));
  for (const isReversed of [false, true]) {
    const index = container.composites.find(({ parts }) => isServedBy(parts, { order, columns, isReversed }));
    if (index === undefined) continue;
    const parts = index.parts.map(({ column, descending }) => ({
      sql: column,
      values: [],
      descending: descending !== isReversed,
    }));
    return { parts, docDescending: isReversed, composite: index.name };
  }
  throw badRequest('The order by query does not have a corresponding composite index that it can be served from.');
}

interface Wanted {
  readonly order: readonly OrderPath[];
  readonly columns: readonly (string | undefined)[];
  readonly isReversed: boolean;
}

function isServedBy(parts: CompositeIndex['parts'], { order, columns, isReversed }: Wanted): boolean {
  if (parts.length !== order.length) return false;
  return parts.every(
    ({ column, descending }, at) =>
      column === columns[at] && (descending !== isReversed) === (order[at]?.descending ?? false),
  );
}

function columnOf(container: Container, { path }: OrderPath): string | undefined {
  return OWN_COLUMNS[path.join('/')] ?? pathColumn(container, path);
}

/** `ORDER BY` with the row number at its end. */
export function orderSql({ parts, docDescending }: Order): string {
  const sorted = [...parts, { sql: 'doc', descending: docDescending }];
  return sorted.map(({ sql, descending }) => `${sql} ${descending ? 'DESC' : 'ASC'}`).join(', ');
}

/** The rows that stand after one whose keys and number are given. */
export function afterSql(
  order: Order,
  after: RowPosition,
): { readonly sql: string; readonly values: readonly OrderKey[] } {
  const keys = [...order.parts.map((part, at) => ({ ...part, key: after.keys[at] ?? 0 }))];
  const parts = [...keys, { sql: 'doc', values: [], descending: order.docDescending, key: after.doc }];
  return parts.reduceRight<{ sql: string; values: readonly OrderKey[] }>(
    (rest, { sql, values, descending, key }) => {
      const beyond = `${sql} ${descending ? '<' : '>'} ?`;
      if (rest.sql === '') return { sql: beyond, values: [...values, key] };
      // The first comparison alone lets SQLite start in the index where the page starts.
      return {
        sql: `${sql} ${descending ? '<=' : '>='} ? AND (${beyond} OR ${rest.sql})`,
        values: [...values, key, ...values, key, ...rest.values],
      };
    },
    { sql: '', values: [] },
  );
}

export interface RowPosition {
  readonly keys: readonly OrderKey[];
  readonly doc: number;
}
