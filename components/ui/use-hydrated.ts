'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the page's script has taken over what the server drew. What is typed into a field before that would be lost. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
