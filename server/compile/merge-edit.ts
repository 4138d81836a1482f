import { changedFields } from './describe-edits.ts';

/** One place that both sides set, differently. `path` is '' when one of them removed the definition. */
export interface Overlap {
  readonly path: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merged {
  /** Null removes the definition. */
  readonly document: unknown;
  /** Places without a choice; while there are any, nothing may be written. */
  readonly open: readonly Overlap[];
}

type Choice = 'mine' | 'theirs' | undefined;

/**
 * Three documents to one, field by field: what one side alone changed from `base` is taken; where both did, `choose` says
 * whose stays. A removal on either side against an edit on the other is one overlap of the whole.
 */
export function mergeEdit(
  { base, mine, theirs }: { readonly base: unknown; readonly mine: unknown; readonly theirs: unknown },
  choose: (path: string) => Choice,
): Merged {
  if (mine === null || theirs === null) return mergeWhole({ mine, theirs }, choose(''));
  const ours = changedFields(base ?? {}, mine);
  const others = changedFields(base ?? {}, theirs);
  const open: Overlap[] = [];
  let document: unknown = theirs;
  for (const [path, , value] of ours) {
    const rival = others.find(([other]) => touches(path, other));
    const choice = rival === undefined || isEqual(valueAt(theirs, path), value) ? 'mine' : choose(path);
    if (choice === undefined) open.push({ path, mine: value, theirs: valueAt(theirs, path) });
    else if (choice === 'mine') document = withValue(document, path.split('.'), value);
  }
  return { document, open };
}

function mergeWhole({ mine, theirs }: { readonly mine: unknown; readonly theirs: unknown }, choice: Choice): Merged {
  if (mine === theirs) return { document: mine, open: [] };
  if (choice === undefined) return { document: null, open: [{ path: '', mine, theirs }] };
  return { document: choice === 'mine' ? mine : theirs, open: [] };
}

/** The same place, or one inside the other. */
function touches(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

function valueAt(document: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), document);
}

function withValue(document: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const record = isRecord(document) ? document : {};
  const inner = withValue(record[key], rest, value);
  const { [key]: _old, ...others } = record;
  return inner === undefined ? others : { ...record, [key]: inner };
}

function isEqual(a: unknown, b: unknown): boolean {
  return changedFields(a, b).length === 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
