import type { MarkKind } from '#components/ui/mark.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import type { Tone } from '#components/ui/tone.ts';
import type { StoreRegion } from '#gateway/contract/machine-api.ts';

const LOOK: Readonly<
  Record<StoreRegion['breaker'], { readonly mark: MarkKind; readonly tone: Tone; readonly word: string }>
> = {
  closed: { mark: 'check', tone: 'ok', word: 'Healthy' },
  open: { mark: 'square', tone: 'danger', word: 'Open' },
  halfOpen: { mark: 'half', tone: 'warn', word: 'Trying, open' },
};

/** Whether a gateway sends requests to a region: its breaker, in words. A region that was never away has no *since*. */
export function RegionState({ region: { breaker, breakerSinceMs } }: { readonly region: StoreRegion }) {
  const { mark, tone, word } = LOOK[breaker];
  return (
    <StateWord mark={mark} tone={tone}>
      {/* One text: between the parts of the flex line a space would be lost. */}
      <span>
        {word}
        {breakerSinceMs !== null && (
          <>
            {' since '}
            <Time ms={breakerSinceMs} />
          </>
        )}
      </span>
    </StateWord>
  );
}
