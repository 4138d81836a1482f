import { OUTCOMES, type Outcome } from '#gateway/contract/errors.ts';

/** How an outcome is written and which token colours it. The order is the order in which stacks pile them. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, { readonly label: string; readonly colour: string }>> = {
  served: { label: 'served', colour: 'var(--served)' },
  notFound: { label: 'not found', colour: 'var(--not-found)' },
  refused: { label: 'refused', colour: 'var(--refused)' },
  overQuota: { label: 'over quota', colour: 'var(--over-quota)' },
  overloaded: { label: 'overloaded', colour: 'var(--overloaded)' },
  failed: { label: 'failed', colour: 'var(--failed)' },
};

/** Choices of an outcome, for a scope bar. */
export const OUTCOME_OPTIONS = [
  { value: 'all', label: 'all' },
  ...OUTCOMES.map((outcome) => ({ value: outcome, label: OUTCOME_WORDS[outcome].label })),
];
