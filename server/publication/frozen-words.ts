import type { Freeze } from '#server/contract/rollouts.ts';

/** *Publishing is frozen by Olga Petrova: incident 4711.* */
export function frozenWords({ by, reason }: Pick<Freeze, 'by' | 'reason'>): string {
  return `Publishing is frozen by ${by.name}: ${reason.replace(/\.$/, '')}.`;
}
