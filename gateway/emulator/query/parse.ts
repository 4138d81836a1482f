import { badRequest } from '#gateway/emulator/errors.ts';
import type { Json } from '#gateway/emulator/json.ts';
import type { Expression, OrderPath, Query, Selection } from './ast.ts';
import { parameterHere, parseExpression, parseOperand, parsePath } from './parse-expression.ts';
import { readTokens, type TokenReader } from './token-reader.ts';
import { type Token, tokenize } from './tokens.ts';

/**
 * Parses the query language of this endpoint: SELECT (TOP) * | list | VALUE, FROM one alias, WHERE, ORDER BY paths,
 * OFFSET LIMIT, COUNT. Everything else is refused with 400, so that a query never means less here than it says.
 */
export function parseQuery(
  text: string,
  parameters: ReadonlyMap<string, Json>,
  tokens: readonly Token[] = tokenize(text),
): Query {
  const reader = readTokens(tokens, parameters);
  reader.alias = findAlias(reader);
  reader.expectWord('SELECT');
  const top = reader.takeWord('TOP') ? countHere(reader) : undefined;
  const selection = parseSelection(reader);
  skipFrom(reader);
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : undefined;
  const order = parseOrder(reader);
  const { offset, limit } = parseOffset(reader);
  if (reader.peek().kind !== 'end') throw reader.refuse();
  if (top !== undefined && limit !== undefined) throw badRequest('TOP and OFFSET LIMIT exclude each other.');
  const isCut = top !== undefined || limit !== undefined || order.length > 0;
  if (selection.kind === 'count' && isCut) throw badRequest('COUNT goes without TOP, ORDER BY and OFFSET LIMIT here.');
  return { selection, where, order, offset, limit: top ?? limit };
}

/** Parses the condition of a patch: `FROM c WHERE ...`. */
export function parseCondition(text: string): Expression {
  const reader = readTokens(tokenize(text), new Map());
  reader.alias = findAlias(reader);
  skipFrom(reader);
  reader.expectWord('WHERE');
  const condition = parseExpression(reader);
  if (reader.peek().kind !== 'end') throw reader.refuse();
  return condition;
}

/** The alias stands after the selection that uses it, so it is looked up first. */
function findAlias(reader: TokenReader): string {
  for (let at = 0; reader.peek(at).kind !== 'end'; at += 1) {
    const token = reader.peek(at);
    if (token.kind !== 'word' || token.text.toUpperCase() !== 'FROM') continue;
    const [source, as, alias] = [reader.peek(at + 1), reader.peek(at + 2), reader.peek(at + 3)];
    if (source.kind !== 'word') break;
    if (as.kind === 'word' && as.text.toUpperCase() === 'AS' && alias.kind === 'word') return alias.text;
    const isAlias = as.kind === 'word' && !/^(WHERE|ORDER|OFFSET|JOIN|GROUP|IN)$/i.test(as.text);
    return isAlias ? as.text : source.text;
  }
  throw badRequest('A query reads FROM one alias of the container.');
}

function skipFrom(reader: TokenReader): void {
  reader.expectWord('FROM');
  const source = reader.take();
  if (source.text === reader.alias) return;
  reader.takeWord('AS');
  if (reader.take().text !== reader.alias) throw reader.refuse();
}

function parseSelection(reader: TokenReader): Selection {
  if (reader.takeSymbol('*')) return { kind: 'all' };
  const isValue = reader.takeWord('VALUE');
  if (isCount(reader)) return parseCount(reader, isValue);
  if (isValue) return { kind: 'value', expression: parseOperand(reader) };
  const fields = [parseField(reader, 1)];
  while (reader.takeSymbol(',')) fields.push(parseField(reader, fields.length + 1));
  return { kind: 'list', fields };
}

function isCount(reader: TokenReader): boolean {
  const [name, open] = [reader.peek(), reader.peek(1)];
  return name.kind === 'word' && name.text.toUpperCase() === 'COUNT' && open.text === '(';
}

/** `COUNT(1)` or `COUNT(c)`: both count documents. Other arguments would count defined values and are refused. */
function parseCount(reader: TokenReader, isValue: boolean): Selection {
  reader.take();
  reader.expectSymbol('(');
  const argument = parseOperand(reader);
  reader.expectSymbol(')');
  const countsAll = argument.kind === 'literal' || (argument.kind === 'path' && argument.path.length === 0);
  if (!countsAll) throw badRequest('COUNT takes 1 or the alias of the container here.');
  return { kind: 'count', name: isValue ? undefined : (parseName(reader) ?? '$1') };
}

function parseField(reader: TokenReader, position: number): { name: string; expression: Expression } {
  const expression = parseOperand(reader);
  const inherited = expression.kind === 'path' ? (expression.path.at(-1) ?? reader.alias) : undefined;
  const own = typeof inherited === 'string' ? inherited : `$${position}`;
  return { name: parseName(reader) ?? own, expression };
}

function parseName(reader: TokenReader): string | undefined {
  if (!reader.takeWord('AS')) return undefined;
  const { kind, text } = reader.take();
  if (kind !== 'word' && kind !== 'string') throw reader.refuse();
  return text;
}

function parseOrder(reader: TokenReader): readonly OrderPath[] {
  if (!reader.takeWord('ORDER')) return [];
  reader.expectWord('BY');
  const order = [parseOrderPath(reader)];
  while (reader.takeSymbol(',')) order.push(parseOrderPath(reader));
  return order;
}

function parseOrderPath(reader: TokenReader): OrderPath {
  const path = parsePath(reader);
  if (path.length === 0) throw badRequest('ORDER BY takes a path of the document.');
  const descending = reader.takeWord('DESC');
  if (!descending) reader.takeWord('ASC');
  return { path, descending };
}

function parseOffset(reader: TokenReader): { offset: number; limit: number | undefined } {
  if (!reader.takeWord('OFFSET')) return { offset: 0, limit: undefined };
  const offset = countHere(reader);
  reader.expectWord('LIMIT');
  return { offset, limit: countHere(reader) };
}

function countHere(reader: TokenReader): number {
  const token = reader.peek();
  const value = token.kind === 'parameter' ? parameterHere(reader) : token.kind === 'number' ? token.value : undefined;
  if (token.kind === 'number') reader.take();
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw badRequest('TOP, OFFSET and LIMIT take a whole number.');
  }
  return value;
}
