import { OUTCOME_WORDS } from '#components/charts/outcome-words.ts';
import type { MarkKind } from '#components/ui/mark.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import type { Tone } from '#components/ui/tone.ts';
import type { Outcome } from '#gateway/contract/errors.ts';

const LOOK: Readonly<Record<Outcome, { readonly mark: MarkKind; readonly tone: Tone }>> = {
  served: { mark: 'check', tone: 'ok' },
  notFound: { mark: 'ring', tone: 'neutral' },
  refused: { mark: 'cross', tone: 'hold' },
  overQuota: { mark: 'triangle', tone: 'warn' },
  overloaded: { mark: 'half', tone: 'warn' },
  failed: { mark: 'square', tone: 'danger' },
};

/** How a request ended: mark, word and colour. */
export function OutcomeState({ outcome }: { readonly outcome: Outcome }) {
  const { label } = OUTCOME_WORDS[outcome];
  return (
    <StateWord mark={LOOK[outcome].mark} tone={LOOK[outcome].tone}>
      {label.charAt(0).toUpperCase() + label.slice(1)}
    </StateWord>
  );
}
