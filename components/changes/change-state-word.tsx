import type { MarkKind } from '#components/ui/mark.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import type { Tone } from '#components/ui/tone.ts';
import type { ChangeState } from '#server/contract/changes.ts';

const LOOK: Readonly<Record<ChangeState, { readonly mark: MarkKind; readonly tone: Tone; readonly word: string }>> = {
  draft: { mark: 'ring', tone: 'neutral', word: 'Draft' },
  'in review': { mark: 'half', tone: 'busy', word: 'In review' },
  'needs work': { mark: 'triangle', tone: 'warn', word: 'Needs work' },
  approved: { mark: 'check', tone: 'busy', word: 'Approved' },
  'rolling out': { mark: 'half', tone: 'busy', word: 'Rolling out' },
  halted: { mark: 'square', tone: 'danger', word: 'Halted' },
  live: { mark: 'check', tone: 'ok', word: 'Live' },
  outdated: { mark: 'triangle', tone: 'warn', word: 'Outdated' },
  abandoned: { mark: 'dashed', tone: 'neutral', word: 'Abandoned' },
  undone: { mark: 'cross', tone: 'neutral', word: 'Undone' },
};

/** State of a change, as every page writes it. */
export function ChangeStateWord({ state }: { readonly state: ChangeState }) {
  const look = LOOK[state];
  return (
    <StateWord mark={look.mark} tone={look.tone}>
      {look.word}
    </StateWord>
  );
}
