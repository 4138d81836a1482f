import { StateWord } from '#components/ui/state-word.tsx';
import type { DefinitionState } from '#server/contract/definitions.ts';

const LOOK = {
  active: { mark: 'check', tone: 'ok', word: 'Active' },
  'deprecated-warn': { mark: 'triangle', tone: 'warn', word: 'Deprecated' },
  'deprecated-error': { mark: 'square', tone: 'danger', word: 'Refused' },
  removed: { mark: 'cross', tone: 'neutral', word: 'Removed' },
} as const;

/** How far a type is on its way out. */
export function DefinitionStateWord({ state }: { readonly state: DefinitionState }) {
  const { mark, tone, word } = LOOK[state];
  return (
    <StateWord mark={mark} tone={tone}>
      {word}
    </StateWord>
  );
}
