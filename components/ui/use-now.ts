'use client';

import { useCallback, useSyncExternalStore } from 'react';

/**
 * The clock of the page, in steps of `stepMs`, for relative times and live ranges. It is `undefined` while the server
 * renders and during hydration (two clocks never agree), and stands still while the tab is hidden.
 */
export function useNow(stepMs = 1000): number | undefined {
  const subscribe = useCallback(
    (onTick: () => void) => {
      const tick = () => {
        if (!document.hidden) onTick();
      };
      const timer = setInterval(tick, stepMs);
      document.addEventListener('visibilitychange', tick);
      return () => {
        clearInterval(timer);
        document.removeEventListener('visibilitychange', tick);
      };
    },
    [stepMs],
  );
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / stepMs) * stepMs,
    () => undefined,
  );
}
