const MAX_DEPTH = 64;

/** A parsed envelope, or a sentence that says why it is none. */
export type StrictJson =
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses the JSON of an envelope that the caller wrote (never content): UTF-8 only, no duplicate keys, no `__proto__`,
 * at most 64 levels. `JSON.parse` alone lets the last of two equal keys win, so two readers could see two requests.
 */
export function parseStrictJson(bytes: Uint8Array): StrictJson {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, problem: 'The body is not UTF-8.' };
  }
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'The body is not JSON.' };
  }
  const problem = problemOf(text);
  return problem === null ? { ok: true, value, text } : { ok: false, problem };
}

const [QUOTE, COLON, BACKSLASH, SPACE] = [0x22, 0x3a, 0x5c, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Walks a text that is known to be JSON, once: what is neither a bracket nor a string does not matter here. */
function problemOf(text: string): string | null {
  const scopes: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(text, at);
      const problem = isKey(text, end) ? problemOfKey(text.slice(at, end + 1), scopes) : null;
      if (problem !== null) return problem;
      at = end;
    } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      scopes.push(null);
      if (scopes.length > MAX_DEPTH) return `The body nests deeper than ${MAX_DEPTH} levels.`;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) scopes.pop();
  }
  return null;
}

/** Where the string that begins at `from` has its closing quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether a string that ends there is the key of a member: a colon follows. */
function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return text.charCodeAt(at) === COLON;
}

function problemOfKey(quoted: string, scopes: (Set<string> | null)[]): string | null {
  const key: string = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
  if (key === '__proto__') return 'The body has a key "__proto__".';
  const innermost = scopes.length - 1;
  const scope = scopes[innermost] ?? new Set();
  if (scope.has(key)) return `The body has the key "${key}" twice.`;
  scopes[innermost] = scope.add(key);
  return null;
}
