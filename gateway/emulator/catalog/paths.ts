import type { ContainerDefinition, IndexingPolicy } from './definition.ts';

/** A path of documents that has a column of its own. */
export interface IndexedPath {
  readonly path: readonly string[];
  readonly column: string;
  /** Whether the policy includes it as `/a/b/?`, so that an index serves it alone. */
  readonly isSimple: boolean;
}

/** A composite index over the columns of its paths. */
export interface CompositeIndex {
  readonly name: string;
  readonly parts: readonly { readonly column: string; readonly descending: boolean }[];
}

/** A unique key: its column holds the values of all its paths, so that one comparison decides. */
export interface UniqueKeyColumn {
  readonly column: string;
  readonly paths: readonly (readonly string[])[];
}

export interface IndexLayout {
  readonly indexed: readonly IndexedPath[];
  readonly composites: readonly CompositeIndex[];
  readonly uniqueKeys: readonly UniqueKeyColumn[];
}

const MAX_COLUMNS = 32;

/** Paths that every table has a column for. */
export const OWN_COLUMNS: Readonly<Record<string, string>> = { id: 'id', _ts: 'ts' };

/** Splits `/a/"b c"/d` into its property names. */
export function splitPath(path: string): readonly string[] {
  const steps: string[] = [];
  for (const [, quoted, plain] of path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)) {
    const step = quoted ?? plain ?? '';
    if (step !== '') steps.push(step);
  }
  return steps;
}

/** Columns and indexes for what the definition names: paths that end in `/?`, composite indexes and unique keys. */
export function indexLayout({ indexingPolicy: policy, uniqueKeys }: ContainerDefinition): IndexLayout {
  const isOff = policy.indexingMode.toLowerCase() === 'none';
  const simple = isOff ? [] : policy.includedPaths.map((entry) => splitPath(entry.path)).filter(isSimplePath);
  const composite = isOff ? [] : (policy.compositeIndexes ?? []);
  const indexed: IndexedPath[] = [];
  const columnOf = (path: readonly string[], isSimple: boolean): string | undefined => {
    const own = OWN_COLUMNS[path.join('/')];
    if (own !== undefined) return own;
    const known = indexed.find((other) => isSamePath(other.path, path));
    if (known !== undefined) return known.column;
    if (indexed.length === MAX_COLUMNS) return undefined;
    const column = `k${indexed.length}`;
    indexed.push({ path, column, isSimple });
    return column;
  };
  for (const steps of simple) columnOf(steps.slice(0, -1), true);
  const composites = composite.map((paths, at) => ({
    name: `c${at}`,
    parts: paths.flatMap((entry) => {
      const column = columnOf(splitPath(entry.path), false);
      return column === undefined ? [] : [{ column, descending: entry.order === 'descending' }];
    }),
  }));
  return {
    indexed,
    composites: composites.filter(({ parts }, at) => parts.length === composite[at]?.length),
    uniqueKeys: uniqueKeys.map(({ paths }, at) => ({ column: `u${at}`, paths: paths.map(splitPath) })),
  };
}

/** Whether the policy indexes a path: the longest matching entry decides, and an included one wins a tie. */
export function isIndexed(policy: IndexingPolicy, path: readonly (string | number)[]): boolean {
  if (policy.indexingMode.toLowerCase() === 'none') return false;
  const steps = path.map((step) => (typeof step === 'number' ? '[]' : step));
  const included = precision(policy.includedPaths, steps);
  return included >= 0 && included >= precision(policy.excludedPaths, steps);
}

export function isSamePath(left: readonly (string | number)[], right: readonly (string | number)[]): boolean {
  return left.length === right.length && left.every((step, at) => step === right[at]);
}

const isSimplePath = (steps: readonly string[]): boolean => steps.at(-1) === '?' && !steps.includes('[]');

/** Length of the most precise entry that matches; -1 for none. An exact `/?` counts above a `/*` of equal length. */
function precision(entries: IndexingPolicy['includedPaths'], steps: readonly string[]): number {
  let best = -1;
  for (const entry of entries) {
    const pattern = splitPath(entry.path);
    const ending = pattern.at(-1);
    const stem = pattern.slice(0, -1);
    if (!stem.every((step, at) => step === steps[at])) continue;
    if (ending === '*') best = Math.max(best, stem.length * 2);
    if (ending === '?' && stem.length === steps.length) best = Math.max(best, stem.length * 2 + 1);
  }
  return best;
}
