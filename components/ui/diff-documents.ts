/** One field that differs. `before` or `after` is undefined where the field was added or removed. */
export interface FieldDiff {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Fields that differ between two JSON documents, leaf by leaf, in the order of the newer document and then what only the
 * older one had. Lists are compared as values when short entries moved; a list of objects goes by position.
 */
export function diffDocuments(before: unknown, after: unknown, path = ''): readonly FieldDiff[] {
  if (isSame(before, after)) return [];
  if (!isRecord(before) || !isRecord(after)) {
    if (isRecord(after) && before === undefined)
      return Object.keys(after).flatMap((key) => diffDocuments(undefined, after[key], join(path, key)));
    if (isRecord(before) && after === undefined)
      return Object.keys(before).flatMap((key) => diffDocuments(before[key], undefined, join(path, key)));
    return [{ path, before, after }];
  }
  const keys = [...Object.keys(after), ...Object.keys(before).filter((key) => !(key in after))];
  return keys.flatMap((key) => diffDocuments(before[key], after[key], join(path, key)));
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equal as JSON; the order of keys does not count, also inside lists: the database keeps none. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item: unknown, at) => isSame(item, b[at]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = definedKeys(a);
  return keys.length === definedKeys(b).length && keys.every((key) => isSame(a[key], b[key]));
}

/** JSON has no undefined: such a field is no field. */
function definedKeys(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(record).filter((key) => record[key] !== undefined);
}
