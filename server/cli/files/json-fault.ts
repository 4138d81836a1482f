const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string has none of these
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const ATOM = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** Where a text stops being JSON (https://www.rfc-editor.org/rfc/rfc8259), since JSON.parse does not always say. */
export function jsonFaultAt(text: string): number {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found !== null;
  };
  const skip = (character: string): boolean => {
    take(SPACE);
    if (text[at] !== character) return false;
    at += 1;
    take(SPACE);
    return true;
  };
  const list = (end: string, item: () => boolean): boolean => {
    if (skip(end)) return true;
    for (;;) {
      if (!item()) return false;
      if (skip(end)) return true;
      if (!skip(',')) return false;
    }
  };
  const value = (): boolean => {
    take(SPACE);
    if (skip('{')) return list('}', () => take(STRING) && skip(':') && value());
    if (skip('[')) return list(']', value);
    return take(STRING) || take(ATOM);
  };
  value();
  take(SPACE);
  return at;
}
