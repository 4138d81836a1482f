'use client';

import { useEffect, useRef } from 'react';
import { useNews } from '#components/ui/use-news.ts';
import type { ChangeRow } from '#server/contract/changes.ts';

/**
 * Says a change's new state to screen readers, whoever moved it on, and keeps the keyboard on the page: the act that was
 * pressed is gone in the new state, and focus with it.
 */
export function useStateNews({ row }: { readonly row: Pick<ChangeRow, 'number' | 'state'> }): void {
  useNews(`∆${row.number} is now: ${row.state}`);
  const known = useRef(row.state);
  useEffect(() => {
    if (known.current === row.state) return;
    known.current = row.state;
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [row.state]);
}
