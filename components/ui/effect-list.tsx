import { Mark } from './mark.tsx';
import { TONE_TEXT, type Tone } from './tone.ts';

/** One effect of a change or an act: who gains or loses what, with how much it was used. */
export interface Effect {
  readonly id: string;
  readonly kind: 'allows' | 'denies' | 'raises' | 'lowers' | 'changes';
  readonly what: React.ReactNode;
  /** Use behind it: `88 k/day, e.g. req_9f…`. */
  readonly use?: React.ReactNode;
}

const LOOK: Readonly<Record<Effect['kind'], { sign: string; word: string; tone: Tone }>> = {
  allows: { sign: '+', word: 'newly allowed', tone: 'ok' },
  denies: { sign: '−', word: 'newly denied', tone: 'danger' },
  raises: { sign: '↑', word: 'raised', tone: 'ok' },
  lowers: { sign: '↓', word: 'lowered', tone: 'warn' },
  changes: { sign: '~', word: 'changed', tone: 'busy' },
};

/** What would be different, before anyone reads the text of a diff. */
export function EffectList({ label, effects, none }: { label: string; effects: readonly Effect[]; none: string }) {
  if (effects.length === 0) {
    return (
      <p className="flex items-center gap-2 text-ink-2">
        <Mark kind="ring" className="text-ink-3" />
        {none}
      </p>
    );
  }
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {effects.map((effect) => (
        <li key={effect.id} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
          <span className={`w-28 shrink-0 ${TONE_TEXT[LOOK[effect.kind].tone]}`}>
            <span aria-hidden className="mr-1.5 inline-block w-2.5 text-center font-mono">
              {LOOK[effect.kind].sign}
            </span>
            {LOOK[effect.kind].word}
          </span>
          <span className="min-w-0 grow basis-60">{effect.what}</span>
          {effect.use !== undefined && <span className="text-ink-3 text-meta">{effect.use}</span>}
        </li>
      ))}
    </ul>
  );
}
