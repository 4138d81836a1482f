import { badRequest, type CosmosError } from '#gateway/emulator/errors.ts';
import type { Json } from '#gateway/emulator/json.ts';
import type { Token } from './tokens.ts';

/** A cursor over the tokens of one query, with its parameters and the alias of its document. */
export interface TokenReader {
  alias: string;
  readonly parameters: ReadonlyMap<string, Json>;
  peek(ahead?: number): Token;
  take(): Token;
  /** Takes the next token when it is this keyword. */
  takeWord(word: string): boolean;
  takeSymbol(symbol: string): boolean;
  expectWord(word: string): void;
  expectSymbol(symbol: string): void;
  refuse(): CosmosError;
}

export function readTokens(tokens: readonly Token[], parameters: ReadonlyMap<string, Json>): TokenReader {
  const last = tokens.length - 1;
  let position = 0;

  const reader: TokenReader = {
    alias: '',
    parameters,
    peek: (ahead = 0) => tokens[Math.min(position + ahead, last)] as Token,
    take() {
      const token = reader.peek();
      position = Math.min(position + 1, last);
      return token;
    },
    takeWord(word) {
      const token = reader.peek();
      const matches = token.kind === 'word' && token.text.toUpperCase() === word;
      if (matches) reader.take();
      return matches;
    },
    takeSymbol(symbol) {
      const token = reader.peek();
      const matches = token.kind === 'symbol' && token.text === symbol;
      if (matches) reader.take();
      return matches;
    },
    expectWord(word) {
      if (!reader.takeWord(word)) throw reader.refuse();
    },
    expectSymbol(symbol) {
      if (!reader.takeSymbol(symbol)) throw reader.refuse();
    },
    refuse() {
      const { text: found, at } = reader.peek();
      return badRequest(`Syntax error near '${found}' at ${at}: not part of the query language of this endpoint.`);
    },
  };
  return reader;
}
