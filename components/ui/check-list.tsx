import type { MarkKind } from './mark.tsx';
import { StateWord } from './state-word.tsx';
import type { Tone } from './tone.ts';

export type CheckState = 'waiting' | 'running' | 'passed' | 'warned' | 'blocked' | 'incomplete';

export interface CheckItem {
  readonly id: string;
  readonly name: string;
  readonly state: CheckState;
  /** What it found or how far it is: `61 %`, `2 findings`. */
  readonly note?: React.ReactNode;
}

const LOOK: Readonly<Record<CheckState, { mark: MarkKind; tone: Tone; word: string }>> = {
  waiting: { mark: 'ring', tone: 'neutral', word: 'waiting' },
  running: { mark: 'half', tone: 'busy', word: 'running' },
  passed: { mark: 'check', tone: 'ok', word: 'passed' },
  warned: { mark: 'triangle', tone: 'warn', word: 'warns' },
  blocked: { mark: 'square', tone: 'danger', word: 'blocks' },
  incomplete: { mark: 'dashed', tone: 'warn', word: 'could not run' },
};

/** Checks of a change, row by row, each with its state in a word. */
export function CheckList({ label, checks }: { readonly label: string; readonly checks: readonly CheckItem[] }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {checks.map((check) => (
        <li key={check.id} className="flex min-h-8 items-center gap-3 py-1">
          <span className="min-w-0 grow">{check.name}</span>
          {check.note !== undefined && <span className="text-ink-3 text-meta">{check.note}</span>}
          <StateWord mark={LOOK[check.state].mark} tone={LOOK[check.state].tone}>
            {LOOK[check.state].word}
          </StateWord>
        </li>
      ))}
    </ul>
  );
}
