'use client';

import { useEffect, useRef } from 'react';
import { useAnnouncer } from './announcer.tsx';

interface NewsOptions {
  /** Tells one piece of news from the next where the same words may come again; the words themselves otherwise. */
  readonly key?: string | undefined;
  /** The first words count as news as well. Otherwise they belong to the page that was just opened and is read anyway. */
  readonly saysFirst?: boolean | undefined;
}

/**
 * Says words to screen readers once each time they have become others, however often the page renders. Undefined: not known
 * yet; empty: known, and nothing to say.
 */
export function useNews(text: string | undefined, { key = text, saysFirst = false }: NewsOptions = {}): void {
  const { announce } = useAnnouncer();
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (text === undefined || key === undefined || key === known.current) return;
    const isNews = known.current !== undefined || saysFirst;
    known.current = key;
    if (isNews && text !== '') announce(text);
  }, [text, key, saysFirst, announce]);
}
