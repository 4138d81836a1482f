const MAX_DEPTH = 64;

/** A parsed envelope, or a sentence that says why it is none. */
export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
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
  const tooDeep = depthOf(text) > MAX_DEPTH;
  if (tooDeep) return { ok: false, problem: `The body nests deeper than ${MAX_DEPTH} levels.` };
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'The body is not JSON.' };
  }
  const problem = problemOfKeys(text);
  return problem === null ? { ok: true, value } : { ok: false, problem };
}

/** Strings and structure of a JSON text; what is between them does not matter here. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs;

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === '}' || token === ']') depth--;
  }
  return deepest;
}

/** Walks a text that is known to be JSON: a string followed by a colon is a key of the innermost object. */
function problemOfKeys(text: string): string | null {
  const scopes: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') scopes.push(new Set());
    else if (token === '}' || token === ']') scopes.pop();
    else if (token === ':') {
      const key: string = JSON.parse(last);
      const scope = scopes.at(-1);
      if (key === '__proto__') return 'The body has a key "__proto__".';
      if (scope?.has(key)) return `The body has the key "${key}" twice.`;
      scope?.add(key);
    }
    last = token;
  }
  return null;
}
