import { cn } from './cn.ts';
import { Mark, type MarkKind } from './mark.tsx';
import { TONE_TEXT, type Tone } from './tone.ts';

interface StateWordProps {
  readonly mark: MarkKind;
  readonly tone: Tone;
  /** The word itself. It carries the meaning; mark and colour repeat it. */
  readonly children: React.ReactNode;
  readonly className?: string | undefined;
}

/**
 * A state: mark, word and colour, never colour alone. Only `danger`, `warn` and `hold` colour the word too, so that
 * a page of healthy rows stays quiet.
 */
export function StateWord({ mark, tone, children, className }: StateWordProps) {
  const loud = tone === 'danger' || tone === 'warn' || tone === 'hold';
  return (
    <span className={cn('inline-flex items-center gap-1.5 whitespace-nowrap', loud && TONE_TEXT[tone], className)}>
      <Mark kind={mark} className={TONE_TEXT[tone]} />
      {children}
    </span>
  );
}
