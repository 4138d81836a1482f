import type { GatewayState } from '#server/contract/shell.ts';
import type { MarkKind } from './mark.tsx';
import { StateWord } from './state-word.tsx';
import type { Tone } from './tone.ts';

const LOOK: Readonly<Record<GatewayState, { readonly mark: MarkKind; readonly tone: Tone; readonly word: string }>> = {
  live: { mark: 'check', tone: 'ok', word: 'Live' },
  applying: { mark: 'half', tone: 'busy', word: 'Applying' },
  rejected: { mark: 'cross', tone: 'danger', word: 'Rejected' },
  behind: { mark: 'triangle', tone: 'warn', word: 'Behind' },
  silent: { mark: 'dashed', tone: 'neutral', word: 'Silent' },
  'too old': { mark: 'triangle', tone: 'warn', word: 'Too old' },
  waiting: { mark: 'ring', tone: 'neutral', word: 'Waits for its stage' },
};

/** State of a gateway against a release, as every page writes it. */
export function GatewayStateWord({ state }: { readonly state: GatewayState }) {
  const look = LOOK[state];
  return (
    <StateWord mark={look.mark} tone={look.tone}>
      {look.word}
    </StateWord>
  );
}
