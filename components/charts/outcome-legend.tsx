import type { Outcome } from '#gateway/contract/errors.ts';
import { OUTCOME_WORDS } from './outcome-words.ts';
import { Swatch } from './swatch.tsx';

/** The outcomes that a stack shows, in its order. In HTML, so that it wraps on a phone. */
export function OutcomeLegend({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-ink-2 text-meta">
      {outcomes.map((outcome) => (
        <li key={outcome} className="flex items-center gap-1.5">
          <Swatch outcome={outcome} />
          {OUTCOME_WORDS[outcome].label}
        </li>
      ))}
    </ul>
  );
}
