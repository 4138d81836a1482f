import type { IndexingPolicy } from './definition.ts';

/** A simple indexed path (`/s/?`) that has a column and an index of its own. */
export interface IndexedPath {
  readonly path: readonly string[];
  readonly column: string;
}

const MAX_COLUMNS = 16;

/** Splits `/a/"b c"/d` into its property names. */
export function splitPath(path: string): readonly string[] {
  const steps: string[] = [];
  for (const [, quoted, plain] of path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)) {
    const step = quoted ?? plain ?? '';
    if (step !== '') steps.push(step);
  }
  return steps;
}

/** Columns for the included paths that end in `/?` and name no array. */
export function indexedPaths(policy: IndexingPolicy): readonly IndexedPath[] {
  if (policy.indexingMode.toLowerCase() === 'none') return [];
  return policy.includedPaths
    .map((entry) => splitPath(entry.path))
    .filter((steps) => steps.at(-1) === '?' && !steps.includes('[]'))
    .slice(0, MAX_COLUMNS)
    .map((steps, at) => ({ path: steps.slice(0, -1), column: `k${at}` }));
}

/** Whether the policy indexes a path: the longest matching entry decides, and an included one wins a tie. */
export function isIndexed(policy: IndexingPolicy, path: readonly (string | number)[]): boolean {
  if (policy.indexingMode.toLowerCase() === 'none') return false;
  const steps = path.map((step) => (typeof step === 'number' ? '[]' : step));
  const included = precision(policy.includedPaths, steps);
  return included >= 0 && included >= precision(policy.excludedPaths, steps);
}

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
