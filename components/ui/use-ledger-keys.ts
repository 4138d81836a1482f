'use client';

import { useCallback } from 'react';
import { usePreferences } from './preferences.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/**
 * Moves focus between the leads of a ledger's rows (arrows, j/k, Home, End) and peeks with Space. Focus moves, selection
 * does not. Tab returns to the row that had focus last. j and k obey the switch for single keys.
 */
export function useLedgerKeys(onPeek: (index: number) => void) {
  const { singleKeys } = usePreferences();
  return useCallback(
    (event: React.KeyboardEvent<HTMLTableElement>) => {
      if (event.metaKey || event.ctrlKey || event.altKey || !(event.target instanceof HTMLElement)) return;
      if (!event.target.classList.contains('ledger-lead')) return;
      const leads = [...event.currentTarget.querySelectorAll<HTMLElement>('.ledger-lead')];
      const at = leads.indexOf(event.target);
      if (event.key === ' ') {
        event.preventDefault();
        onPeek(Number(event.target.closest('tr')?.dataset.index));
        return;
      }
      const next = leads[targetOf(event.key, at, leads.length)];
      const isLetter = event.key === 'j' || event.key === 'k';
      if (next === undefined || (isLetter && singleKeys === 'off')) return;
      event.preventDefault();
      for (const lead of leads) lead.tabIndex = lead === next ? 0 : -1;
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    },
    [onPeek, singleKeys],
  );
}

function targetOf(key: string, at: number, count: number): number {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = STEPS[key];
  return step === undefined ? -1 : Math.min(count - 1, Math.max(0, at + step));
}
