import { badRequest } from '#gateway/emulator/errors.ts';
import type { Json } from '#gateway/emulator/json.ts';
import { type Comparison, type Expression, FUNCTIONS, type FunctionName, type Path } from './ast.ts';
import type { TokenReader } from './token-reader.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);
const RESERVED =
  /^(SELECT|FROM|WHERE|ORDER|BY|OFFSET|LIMIT|TOP|VALUE|AND|OR|NOT|IN|BETWEEN|AS|ASC|DESC|DISTINCT|JOIN|GROUP|EXISTS|UDF|LIKE)$/i;

/** A boolean expression: OR binds loosest, then AND, then NOT, then comparisons. */
export function parseExpression(reader: TokenReader): Expression {
  let left = parseAnd(reader);
  while (reader.takeWord('OR')) left = { kind: 'or', left, right: parseAnd(reader) };
  return left;
}

function parseAnd(reader: TokenReader): Expression {
  let left = parseNot(reader);
  while (reader.takeWord('AND')) left = { kind: 'and', left, right: parseNot(reader) };
  return left;
}

function parseNot(reader: TokenReader): Expression {
  return reader.takeWord('NOT') ? { kind: 'not', operand: parseNot(reader) } : parseComparison(reader);
}

function parseComparison(reader: TokenReader): Expression {
  const left = parseOperand(reader);
  const { kind, text } = reader.peek();
  if (kind === 'symbol' && COMPARISONS.has(text)) {
    reader.take();
    return { kind: 'compare', op: text as Comparison, left, right: parseOperand(reader) };
  }
  const negated = reader.takeWord('NOT');
  if (reader.takeWord('IN')) return negate(negated, { kind: 'in', operand: left, list: parseList(reader) });
  if (reader.takeWord('BETWEEN')) {
    const low = parseOperand(reader);
    reader.expectWord('AND');
    return negate(negated, { kind: 'between', operand: left, low, high: parseOperand(reader) });
  }
  if (negated) throw reader.refuse();
  return left;
}

const negate = (negated: boolean, operand: Expression): Expression => (negated ? { kind: 'not', operand } : operand);

function parseList(reader: TokenReader): readonly Expression[] {
  reader.expectSymbol('(');
  const list = [parseOperand(reader)];
  while (reader.takeSymbol(',')) list.push(parseOperand(reader));
  reader.expectSymbol(')');
  return list;
}

/** A parenthesis, a literal, a parameter, a call of a known function, or a path. */
export function parseOperand(reader: TokenReader): Expression {
  if (reader.takeSymbol('(')) {
    const inner = parseExpression(reader);
    reader.expectSymbol(')');
    return inner;
  }
  if (reader.takeSymbol('-')) return { kind: 'literal', value: 0 - numberHere(reader) };
  const token = reader.peek();
  if (token.kind === 'string') return literal(reader, token.text);
  if (token.kind === 'number') return literal(reader, token.value);
  if (token.kind === 'parameter') return { kind: 'literal', value: parameterHere(reader) };
  if (token.kind !== 'word') throw reader.refuse();
  const next = reader.peek(1);
  if (next.kind === 'symbol' && next.text === '(') return parseCall(reader);
  return parseWord(reader, token.text);
}

function parseWord(reader: TokenReader, word: string): Expression {
  if (word === reader.alias) return { kind: 'path', path: parsePath(reader) };
  if (word === 'true' || word === 'false') return literal(reader, word === 'true');
  if (word === 'null') return literal(reader, null);
  if (word === 'undefined') return literal(reader, undefined);
  if (RESERVED.test(word)) throw reader.refuse();
  throw badRequest(`Identifier '${word}' could not be resolved.`);
}

function parseCall(reader: TokenReader): Expression {
  const name = reader.peek().text.toUpperCase();
  if (!(FUNCTIONS as readonly string[]).includes(name)) {
    throw badRequest(`The function ${reader.peek().text} is not part of the query language of this endpoint.`);
  }
  reader.take();
  const args = parseList(reader);
  const arity = name === 'IS_DEFINED' ? [1, 1] : [2, 3];
  if (args.length < Number(arity[0]) || args.length > Number(arity[1])) {
    throw badRequest(`The function ${name} does not take ${args.length} arguments.`);
  }
  return { kind: 'call', name: name as FunctionName, args };
}

/** `c.a.b`, `c["a"]`, `c.list[0]`; the alias comes first. */
export function parsePath(reader: TokenReader): Path {
  const { kind, text } = reader.peek();
  if (kind !== 'word' || text !== reader.alias) throw reader.refuse();
  reader.take();
  const steps: (string | number)[] = [];
  for (;;) {
    if (reader.takeSymbol('.')) {
      if (reader.peek().kind !== 'word') throw reader.refuse();
      steps.push(reader.take().text);
    } else if (reader.takeSymbol('[')) {
      const step = reader.peek();
      if (step.kind === 'number' && Number.isInteger(step.value)) steps.push(step.value);
      else if (step.kind === 'string') steps.push(step.text);
      else throw reader.refuse();
      reader.take();
      reader.expectSymbol(']');
    } else return steps;
  }
}

function literal(reader: TokenReader, value: Json | undefined): Expression {
  reader.take();
  return { kind: 'literal', value };
}

function numberHere(reader: TokenReader): number {
  const token = reader.peek();
  if (token.kind !== 'number') throw reader.refuse();
  reader.take();
  return token.value;
}

export function parameterHere(reader: TokenReader): Json {
  const { text } = reader.take();
  const value = reader.parameters.get(text);
  if (value === undefined) throw badRequest(`The query uses the parameter ${text}, which has no value.`);
  return value;
}
