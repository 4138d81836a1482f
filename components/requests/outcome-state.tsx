import { OUTCOME_WORDS } from '#components/charts/outcome-words.ts';
import type { MarkKind } from '#components/ui/mark.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import type { Tone } from '#components/ui/tone.ts';
import type { ErrorCode, Outcome } from '#gateway/contract/errors.ts';

const LOOK: Readonly<Record<Outcome, { readonly mark: MarkKind; readonly tone: Tone }>> = {
  served: { mark: 'check', tone: 'ok' },
  notFound: { mark: 'ring', tone: 'neutral' },
  refused: { mark: 'cross', tone: 'hold' },
  overQuota: { mark: 'triangle', tone: 'warn' },
  overloaded: { mark: 'half', tone: 'warn' },
  failed: { mark: 'square', tone: 'danger' },
};

interface OutcomeStateProps {
  readonly outcome: Outcome;
  /** In a list the code is the word: it says more in the same room. */
  readonly code?: ErrorCode | null | undefined;
}

/** How a request ended: mark, word and colour. */
export function OutcomeState({ outcome, code }: OutcomeStateProps) {
  const { label } = OUTCOME_WORDS[outcome];
  return (
    <StateWord mark={LOOK[outcome].mark} tone={LOOK[outcome].tone}>
      {typeof code === 'string' ? (
        <span className="font-mono">{code}</span>
      ) : (
        label.charAt(0).toUpperCase() + label.slice(1)
      )}
    </StateWord>
  );
}
