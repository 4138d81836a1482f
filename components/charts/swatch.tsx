import type { Outcome } from '#gateway/contract/errors.ts';
import { OutcomeShape } from './outcome-shape.tsx';

/** An outcome as charts draw it, beside its name. */
export function Swatch({ outcome }: { readonly outcome: Outcome }) {
  return (
    <svg viewBox="0 0 9 9" width="9" height="9" aria-hidden className="shrink-0">
      <OutcomeShape outcome={outcome} x={0} y={0} width={9} height={9} />
    </svg>
  );
}
