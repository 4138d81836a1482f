import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import type { StoreRegion } from '#gateway/contract/machine-api.ts';

/** Whether a gateway sends requests to a region: its breaker, in words. */
export function RegionState({ region: { breaker, breakerSinceMs } }: { readonly region: StoreRegion }) {
  switch (breaker) {
    case 'closed':
      return (
        <StateWord mark="check" tone="ok">
          Healthy
        </StateWord>
      );
    case 'open':
      return (
        <StateWord mark="square" tone="danger">
          {/* The space lies in the text: an inline flex would drop it between its parts. */}
          <span>
            Open
            {breakerSinceMs !== null && (
              <>
                {' since '}
                <Time ms={breakerSinceMs} />
              </>
            )}
          </span>
        </StateWord>
      );
    case 'halfOpen':
      return (
        <StateWord mark="half" tone="warn">
          Trying
        </StateWord>
      );
  }
}
