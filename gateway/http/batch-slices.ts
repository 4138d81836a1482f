/** Strings and structure of a JSON text; what is between them belongs to the value it stands in. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs;

/**
 * For each element of the array `operations` of a JSON object, the text of its member `json` exactly as it is written,
 * null when it has none. The text is known to be JSON without repeated keys.
 */
export function jsonSlices(text: string): readonly (string | null)[] {
  const found: (string | null)[] = [];
  const path: (string | number)[] = [];
  let key = '';
  let start = -1;
  const isOperation = () => path.length === 3 && path[0] === 'operations' && typeof path[1] === 'number';
  const end = (at: number) => {
    if (start >= 0 && isOperation() && path[2] === 'json') {
      found[Number(path[1])] = text.slice(start, at).trim();
      start = -1;
    }
  };
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const open = token === '{' || token === '[';
    if (open) {
      if (token === '[') path.push(0);
      else path.push('');
      if (path.length === 3 && path[0] === 'operations') found[Number(path[1])] = null;
    } else if (token === '}' || token === ']') {
      end(index);
      path.pop();
    } else if (token === ',') {
      end(index);
      const last = path.length - 1;
      const place = path[last];
      if (typeof place === 'number') path[last] = place + 1;
    } else if (token === ':') {
      path[path.length - 1] = key;
      if (isOperation() && key === 'json') start = index + 1;
    } else {
      key = token.length <= 64 ? String(JSON.parse(token)) : '';
    }
  }
  return found;
}
