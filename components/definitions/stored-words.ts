import { formatBytes, plural } from '#components/ui/format-number.ts';
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
