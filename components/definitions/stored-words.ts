import { formatBytes, formatCount, formatShare, plural } from '#components/ui/format-number.ts';
import { FULL_OBJECT_BYTES } from '#gateway/contract/data-api.ts';
import type { StoredByType } from '#server/contract/definitions.ts';
import { kindOfType } from './kind-words.ts';

/** *1,204 objects and 3,310 edges, 2.3 MB*; what there is none of is left out, and all of it is *nothing*. */
export function storedWords({ types }: Pick<StoredByType, 'types'>): string {
  const countOf = (kind: 'objectType' | 'edgeType') =>
    types.filter(({ type }) => kindOfType(type) === kind).reduce((sum, { count }) => sum + count, 0);
  const [objects, edges] = [countOf('objectType'), countOf('edgeType')];
  const counts = [
    ...(objects === 0 ? [] : [plural(objects, 'object')]),
    ...(edges === 0 ? [] : [plural(edges, 'edge')]),
  ];
  if (counts.length === 0) return 'nothing';
  return `${counts.join(' and ')}, ${formatBytes(types.reduce((sum, { bytes }) => sum + bytes, 0))}`;
}

/** *1.2 GB, 8 % of the 16 GB that one object may fill,*; without the share while it is next to nothing. */
export function largestWords(bytes: number): string {
  const share = bytes / FULL_OBJECT_BYTES;
  const of = share < 0.01 ? '' : `, ${formatShare(share)} of the ${formatBytes(FULL_OBJECT_BYTES)} that one may fill,`;
  return `${formatBytes(bytes)}${of}`;
}

/** *94 of at most 1,000,000*, and the share once it is worth a thought. */
export function longestWords(edges: number, most: number): string {
  const share = edges / most;
  return `${formatCount(edges)} of at most ${formatCount(most)}${share < 0.01 ? '' : ` (${formatShare(share)})`}`;
}
