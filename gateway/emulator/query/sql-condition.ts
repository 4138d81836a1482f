import type { Container } from '#gateway/emulator/catalog/container.ts';
import { isSamePath } from '#gateway/emulator/catalog/paths.ts';
import type { Json } from '#gateway/emulator/json.ts';
import { encodeScalar } from '#gateway/emulator/store/index-key.ts';
import type { Comparison, Expression, Path } from './ast.ts';

/** A part of the filter that SQLite decides exactly as the service would. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number | Uint8Array)[];
  readonly column: string;
}

const FLIPPED: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** The SQL of a conjunct that compares a path with a column and constants; undefined for any other. */
export function conditionOf(container: Container, conjunct: Expression): Condition | undefined {
  switch (conjunct.kind) {
    case 'compare': {
      const { op, left, right } = conjunct;
      if (left.kind === 'path' && right.kind === 'literal') return comparison(container, left.path, [op, right.value]);
      if (left.kind === 'literal' && right.kind === 'path') {
        return comparison(container, right.path, [FLIPPED[op], left.value]);
      }
      return undefined;
    }
    case 'in': {
      const { operand, list } = conjunct;
      if (operand.kind !== 'path' || list.length > 100) return undefined;
      const parts = list.map((entry) =>
        entry.kind === 'literal' ? comparison(container, operand.path, ['=', entry.value]) : undefined,
      );
      return listCondition(parts);
    }
    case 'between': {
      const { operand, low, high } = conjunct;
      if (operand.kind !== 'path' || low.kind !== 'literal' || high.kind !== 'literal') return undefined;
      const from = comparison(container, operand.path, ['>=', low.value]);
      const to = comparison(container, operand.path, ['<=', high.value]);
      if (from === undefined || to === undefined) return undefined;
      return { sql: `${from.sql} AND ${to.sql}`, values: [...from.values, ...to.values], column: from.column };
    }
    default:
      return undefined;
  }
}

function listCondition(parts: readonly (Condition | undefined)[]): Condition | undefined {
  const known = parts.filter((part) => part !== undefined);
  const [first] = known;
  if (first === undefined || known.length < parts.length) return undefined;
  const values = known.flatMap((part) => part.values);
  // A constant of another kind matches nothing and brings no value.
  return { sql: `${first.column} IN (${values.map(() => '?').join(', ')})`, values, column: first.column };
}

function comparison(
  container: Container,
  path: Path,
  [op, value]: readonly [Comparison, Json | undefined],
): Condition | undefined {
  if (op === '!=') return undefined;
  if (path.length === 1 && path[0] === 'id') return typed('id', op, typeof value === 'string' ? value : undefined);
  if (path.length === 1 && path[0] === '_ts') return typed('ts', op, typeof value === 'number' ? value : undefined);
  const column = pathColumn(container, path);
  return column === undefined ? undefined : keyComparison(column, op, value);
}

function typed(column: string, op: Comparison, value: string | number | undefined): Condition {
  return value === undefined
    ? { sql: 'FALSE', values: [], column }
    : { sql: `${column} ${op} ?`, values: [value], column };
}

/** Keys of one kind share their first byte, so an open end stops there: `> 5` finds numbers only. */
function keyComparison(column: string, op: Comparison, value: Json | undefined): Condition | undefined {
  const key = encodeScalar(value);
  if (key === undefined) return value === undefined ? { sql: 'FALSE', values: [], column } : undefined;
  if (op === '=') return { sql: `${column} = ?`, values: [key], column };
  if (value === null || typeof value === 'boolean') return undefined;
  const tag = Number(key[0]);
  const edge = op.startsWith('>') ? Uint8Array.of(tag + 1) : Uint8Array.of(tag);
  const edgeOp = op.startsWith('>') ? '<' : '>=';
  return { sql: `${column} ${op} ? AND ${column} ${edgeOp} ?`, values: [key, edge], column };
}

/** Column of exactly this path. */
export function pathColumn(container: Container, path: Path | undefined): string | undefined {
  if (path === undefined) return undefined;
  return container.indexed.find((indexed) => isSamePath(indexed.path, path))?.column;
}
