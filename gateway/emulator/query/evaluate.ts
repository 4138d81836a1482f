import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json } from '#gateway/emulator/json.ts';
import { encodeScalar, valueAt } from '#gateway/emulator/store/index-key.ts';
import type { Comparison, Expression } from './ast.ts';

/**
 * Value of an expression over a document; undefined is a value of its own, as in the service: a comparison with it is
 * undefined, and a filter passes only on true.
 */
export function evaluate(expression: Expression, document: Json): Json | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'path':
      return valueAt(document, expression.path);
    case 'compare':
      return compare(expression.op, evaluate(expression.left, document), evaluate(expression.right, document));
    case 'and':
      return both(evaluate(expression.left, document), () => evaluate(expression.right, document));
    case 'or':
      return either(evaluate(expression.left, document), () => evaluate(expression.right, document));
    case 'not': {
      const value = evaluate(expression.operand, document);
      return typeof value === 'boolean' ? !value : undefined;
    }
    case 'in': {
      const value = evaluate(expression.operand, document);
      if (value === undefined) return undefined;
      return expression.list.some((entry) => isDeepStrictEqual(evaluate(entry, document), value));
    }
    case 'between': {
      const value = evaluate(expression.operand, document);
      const above = compare('>=', value, evaluate(expression.low, document));
      return both(above, () => compare('<=', value, evaluate(expression.high, document)));
    }
    case 'call': {
      const args = expression.args.map((arg) => evaluate(arg, document));
      return expression.name === 'IS_DEFINED' ? args[0] !== undefined : arrayContains(args);
    }
  }
}

/** Equality is defined between all defined values (`1 = '1'` is false); an order only within one kind of scalar. */
function compare(op: Comparison, left: Json | undefined, right: Json | undefined): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (op === '=') return isDeepStrictEqual(left, right);
  if (op === '!=') return !isDeepStrictEqual(left, right);
  if (typeof left !== typeof right) return undefined;
  const [a, b] = [encodeScalar(left), encodeScalar(right)];
  if (a === undefined || b === undefined) return undefined;
  const order = Buffer.compare(a, b);
  if (op === '<') return order < 0;
  if (op === '<=') return order <= 0;
  return op === '>' ? order > 0 : order >= 0;
}

const asBoolean = (value: Json | undefined): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function both(left: Json | undefined, right: () => Json | undefined): boolean | undefined {
  const first = asBoolean(left);
  if (first === false) return false;
  const second = asBoolean(right());
  if (second === false) return false;
  return first === undefined || second === undefined ? undefined : true;
}

function either(left: Json | undefined, right: () => Json | undefined): boolean | undefined {
  const first = asBoolean(left);
  if (first === true) return true;
  const second = asBoolean(right());
  if (second === true) return true;
  return first === undefined || second === undefined ? undefined : false;
}

function arrayContains([list, wanted, partial]: readonly (Json | undefined)[]): boolean | undefined {
  if (!Array.isArray(list) || wanted === undefined) return undefined;
  return list.some((entry: Json) => (partial === true ? includes(entry, wanted) : isDeepStrictEqual(entry, wanted)));
}

/** A partial match: every property of `wanted` is in `entry`. */
function includes(entry: Json, wanted: Json): boolean {
  if (!isJsonObject(wanted) || !isJsonObject(entry)) return isDeepStrictEqual(entry, wanted);
  return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(entry[name], value));
}
