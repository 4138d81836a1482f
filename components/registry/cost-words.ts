import { formatRu } from '#components/ui/format-number.ts';
import type { OperationCost } from '#server/contract/definitions.ts';

/** Reads and writes first; the rest stands on the type's page. */
const ORDER = [
  'object.get',
  'object.put',
  'edge.list',
  'edge.put',
  'edge.get',
  'edge.count',
  'object.delete',
  'edge.delete',
  'edge.changeType',
  'commit',
];

/** *get 1.0 RU · put 5.1 RU*, the two that matter most, each of a piece; nothing while nothing was served. */
export function costWords(cost: readonly OperationCost[]): string {
  const shown = inOrder(cost).slice(0, 2);
  return shown.map(({ operation, ru }) => `${operation.split('.')[1] ?? operation}\u00a0${formatRu(ru)}`).join(' · ');
}

/** Costs in the order in which people ask for them. */
export function inOrder(cost: readonly OperationCost[]): readonly OperationCost[] {
  const place = (operation: string) => (ORDER.includes(operation) ? ORDER.indexOf(operation) : ORDER.length);
  return cost.toSorted((a, b) => place(a.operation) - place(b.operation));
}
