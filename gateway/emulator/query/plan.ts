import type { Container } from '#gateway/emulator/catalog/container.ts';
import { isIndexed, isSamePath } from '#gateway/emulator/catalog/paths.ts';
import { badRequest } from '#gateway/emulator/errors.ts';
import type { Expression, Path, Query } from './ast.ts';
import { type Order, orderOf } from './order.ts';
import { type Condition, conditionOf } from './sql-condition.ts';

/** How a query reads its container: conditions for SQLite, the rest of the filter for us, and the order. */
export interface Plan {
  readonly conditions: readonly Condition[];
  readonly residual: Expression | undefined;
  readonly order: Order;
  /** Suffix of the index that serves order or filter within a partition. */
  readonly index: string | undefined;
}

export interface PlanOptions {
  readonly isOnePartition: boolean;
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
  const order = orderOf(container, query.order, options.isOnePartition);
  const candidates =
    query.order.length > 0 ? order.parts.map(({ sql }) => sql) : conditions.map(({ column }) => column);
  const simple = candidates.find((column) => container.indexed.some((path) => path.isSimple && path.column === column));
  return {
    conditions,
    residual: residual.reduce<Expression | undefined>(
      (left, right) => (left === undefined ? right : { kind: 'and', left, right }),
      undefined,
    ),
    order,
    index: options.isOnePartition ? (order.composite ?? simple) : undefined,
  };
}

function conjuncts(where: Expression | undefined): readonly Expression[] {
  if (where === undefined) return [];
  return where.kind === 'and' ? [...conjuncts(where.left), ...conjuncts(where.right)] : [where];
}

function refuseUnindexed(container: Container, query: Query): void {
  // An order by several paths is served by its composite index or refused with that.
  const ordered = query.order.length === 1 ? query.order.map(({ path }) => path) : [];
  const used = [...pathsOf(query.where), ...ordered];
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
  const isPartitionKey = container.partitionPaths.some((own) => isSamePath(own, path));
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
