import { OUTCOMES, type Outcome } from '#gateway/contract/errors.ts';

interface OutcomeWords {
  readonly label: string;
  readonly colour: string;
  /** Lines within its area: no two outcomes have one lightness and one mark. */
  readonly mark: 'none' | 'across' | 'down';
}

/** How an outcome is written and drawn. The order is the order in which stacks pile them. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, OutcomeWords>> = {
  served: { label: 'served', colour: 'var(--served)', mark: 'none' },
  notFound: { label: 'not found', colour: 'var(--not-found)', mark: 'none' },
  refused: { label: 'refused', colour: 'var(--refused)', mark: 'across' },
  overQuota: { label: 'over quota', colour: 'var(--over-quota)', mark: 'down' },
  overloaded: { label: 'overloaded', colour: 'var(--overloaded)', mark: 'across' },
  failed: { label: 'failed', colour: 'var(--failed)', mark: 'down' },
};

/** Choices of an outcome, for a scope bar. */
export const OUTCOME_OPTIONS = [
  { value: 'all', label: 'all' },
  ...OUTCOMES.map((outcome) => ({ value: outcome, label: OUTCOME_WORDS[outcome].label })),
];
