'use client';

import { type RefObject, useEffect, useState } from 'react';
import { usePreferences } from '#components/ui/preferences.tsx';
import type { HeatColours } from './draw-heat.ts';

/**
 * The colours that tokens have now. A canvas cannot read tokens, so they are read from the swatches of the legend, again
 * whenever the theme of the page or of the system changes.
 */
export function useHeatColours(legend: RefObject<HTMLElement | null>): HeatColours | undefined {
  const { theme } = usePreferences();
  const [colours, setColours] = useState<HeatColours>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the swatches compute to
  useEffect(() => {
    const read = () => {
      const element = legend.current;
      if (element === null) return;
      const paint = (name: string) =>
        [...element.querySelectorAll(`[data-paint=${name}]`)].map((each) => getComputedStyle(each).color);
      const [hatch = '', ground = '', cursor = ''] = [...paint('hatch'), ...paint('ground'), ...paint('cursor')];
      setColours({ steps: paint('step'), hatch, ground, cursor });
    };
    read();
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', read);
    return () => system.removeEventListener('change', read);
  }, [legend, theme]);
  return colours;
}
