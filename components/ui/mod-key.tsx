'use client';

import { createContext, use } from 'react';

/** The key that goes with others on this keyboard, as it is named there. */
interface ModKey {
  /** On a cap: `⌘` or `Ctrl`. */
  readonly cap: string;
  /** In `aria-keyshortcuts`. */
  readonly aria: 'Meta' | 'Control';
  /** In a sentence: `⌘K`, `Ctrl K`. */
  readonly with: (key: string) => string;
}

const CONTROL: ModKey = { cap: 'Ctrl', aria: 'Control', with: (key) => `Ctrl ${key}` };
const COMMAND: ModKey = { cap: '⌘', aria: 'Meta', with: (key) => `⌘${key}` };

const ModKeyContext = createContext(CONTROL);

interface ModKeyProviderProps {
  readonly isApple: boolean;
  readonly children: React.ReactNode;
}

/** Says which keyboard the browser stands at. */
export function ModKeyProvider({ isApple, children }: ModKeyProviderProps) {
  return <ModKeyContext value={isApple ? COMMAND : CONTROL}>{children}</ModKeyContext>;
}

export function useModKey(): ModKey {
  return use(ModKeyContext);
}

/** The key of the palette inside a sentence. */
export function PaletteKeys() {
  return useModKey().with('K');
}
