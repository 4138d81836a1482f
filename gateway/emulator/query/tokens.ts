import { badRequest } from '#gateway/emulator/errors.ts';

export type Token =
  | { readonly kind: 'word' | 'parameter' | 'symbol' | 'end'; readonly text: string; readonly at: number }
  | { readonly kind: 'string'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly text: string; readonly value: number; readonly at: number };

const PATTERN = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*)`,
    '(?<word>[A-Za-z_][A-Za-z0-9_]*)',
    '(?<parameter>@[A-Za-z0-9_]+)',
    String.raw`(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`,
    String.raw`(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`,
    String.raw`(?<symbol><=|>=|!=|<>|[-<>=(),.*\[\]])`,
  ].join('|'),
  'y',
);

/** Cuts a query into tokens. Anything outside of the language is refused where it stands. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < text.length) {
    const at = PATTERN.lastIndex;
    const groups = PATTERN.exec(text)?.groups;
    if (groups === undefined) throw badRequest(`Syntax error near '${text.slice(at, at + 12)}' at ${at}.`);
    const token = toToken(groups, at);
    if (token !== undefined) tokens.push(token);
  }
  tokens.push({ kind: 'end', text: 'the end', at: text.length });
  return tokens;
}

function toToken(groups: Record<string, string | undefined>, at: number): Token | undefined {
  const { word, parameter, number, string, symbol } = groups;
  if (word !== undefined) return { kind: 'word', text: word, at };
  if (parameter !== undefined) return { kind: 'parameter', text: parameter, at };
  if (number !== undefined) return { kind: 'number', text: number, value: Number(number), at };
  if (string !== undefined) return { kind: 'string', text: unquote(string, at), at };
  if (symbol !== undefined) return { kind: 'symbol', text: symbol === '<>' ? '!=' : symbol, at };
  return undefined;
}

/** Escapes are those of JSON, in either kind of quote. */
function unquote(quoted: string, at: number): string {
  const inner = quoted.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  const json = inner.replaceAll(/\\.|"/gs, (part) => (part === '"' ? '\\"' : part === "\\'" ? "'" : part));
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    throw badRequest(`The string at ${at} has an escape that is not known.`);
  }
}
