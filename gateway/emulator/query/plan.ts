import type { Container } from '#gateway/emulator/catalog/container.ts';
import { isIndexed } from '#gateway/emulator/catalog/paths.ts';
import { badRequest } from '#gateway/emulator/errors.ts';
import type { Expression, Path, Query } from './ast.ts';
import { type Condition, conditionOf, pathColumn } from './sql-condition.ts';

/** How a query reads its container: conditions for SQLite, the rest of the filter for us, and the order. */
export interface Plan {
  readonly conditions: readonly Condition[];
  readonly residual: Expression | undefined;
  readonly order: { readonly sql: string; readonly values: readonly string[]; readonly descending: boolean };
  /** Column of a path index that serves filter or order within a partition. */
  readonly indexColumn: string | undefined;
}

export interface PlanOptions {
  readonly singlePartition: boolean;
  /** Set by a client that asks for a scan by name; without it a filter on an unindexed path is refused. */
  readonly allowScan: boolean;
}

export function planQuery(container: Container, query: Query, options: PlanOptions): Plan {
  if (!options.allowScan) refuseUnindexed(container, query);
  const conditions: Condition[] = [];
  const residual: Expression[] = [];
  for (const conjunct of conjuncts(query.where)) {
    const condition = conditionOf(container, conjunct);
    if (condition === undefined) residual.push(conjunct);
    else conditions.push(condition);
  }
  const orderColumn = pathColumn(container, query.order?.path);
  const filterColumn = conditions.find((condition) => condition.column.startsWith('k'))?.column;
  const indexColumn = orderColumn ?? (query.order === undefined ? filterColumn : undefined);
  // A path that is indexed by name leaves documents without it out, as in the service; SQLite's partial index needs it said.
  if (indexColumn !== undefined) {
    conditions.push({ sql: `${indexColumn} IS NOT NULL`, values: [], column: indexColumn });
  }
  return {
    conditions,
    residual: residual.reduce<Expression | undefined>(
      (left, right) => (left === undefined ? right : { kind: 'and', left, right }),
      undefined,
    ),
    order: orderOf(container, query, options),
    indexColumn: options.singlePartition ? indexColumn : undefined,
  };
}

function conjuncts(where: Expression | undefined): readonly Expression[] {
  if (where === undefined) return [];
  return where.kind === 'and' ? [...conjuncts(where.left), ...conjuncts(where.right)] : [where];
}

/** Without ORDER BY the order is the one that costs nothing: ids within a partition, else the order of arrival. */
function orderOf(container: Container, query: Query, options: PlanOptions): Plan['order'] {
  if (query.order === undefined) return { sql: options.singlePartition ? 'id' : 'doc', values: [], descending: false };
  const { path, descending } = query.order;
  if (path.length === 1 && path[0] === 'id') return { sql: 'id', values: [], descending };
  if (path.length === 1 && path[0] === '_ts') return { sql: 'ts', values: [], descending };
  const column = pathColumn(container, path);
  if (column !== undefined) return { sql: column, values: [], descending };
  return { sql: 'sort_key(body, ?)', values: [JSON.stringify(path)], descending };
}

function refuseUnindexed(container: Container, query: Query): void {
  const used = [...pathsOf(query.where), ...(query.order === undefined ? [] : [query.order.path])];
  for (const path of used) {
    if (path.length === 0 || isServed(container, path)) continue;
    throw badRequest(
      `The path /${path.join('/')} is excluded from indexing. Add it to the indexing policy or set the scan header.`,
    );
  }
}

function isServed(container: Container, path: Path): boolean {
  const [first] = path;
  if (path.length === 1 && (first === 'id' || first === '_ts')) return true;
  const isPartitionKey = container.partitionPaths.some((own) => own.join('/') === path.join('/'));
  return isPartitionKey || isIndexed(container.definition.indexingPolicy, path);
}

function pathsOf(expression: Expression | undefined): readonly Path[] {
  if (expression === undefined) return [];
  switch (expression.kind) {
    case 'literal':
      return [];
    case 'path':
      return [expression.path];
    case 'compare':
    case 'and':
    case 'or':
      return [...pathsOf(expression.left), ...pathsOf(expression.right)];
    case 'not':
      return pathsOf(expression.operand);
    case 'in':
      return [...pathsOf(expression.operand), ...expression.list.flatMap(pathsOf)];
    case 'between':
      return [...pathsOf(expression.operand), ...pathsOf(expression.low), ...pathsOf(expression.high)];
    case 'call':
      return expression.args.flatMap(pathsOf);
  }
}
