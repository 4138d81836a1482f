import type { Ref } from 'react';
import { formatCount } from '#components/ui/format-number.ts';
import { HEAT_STEPS } from './heat-grid.ts';

interface HeatLegendProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly most: number;
}

/** The seven colours from few to many. The canvas reads its colours here, so legend and cells cannot differ. */
export function HeatLegend({ ref, most }: HeatLegendProps) {
  return (
    <div ref={ref} className="absolute right-2 bottom-0 flex items-center gap-1.5 text-ink-3 text-meta">
      <span hidden data-paint="hatch" className="text-edge" />
      <span hidden data-paint="ground" className="text-sunken" />
      <span hidden data-paint="cursor" className="text-ink" />
      {most > 0 && <span>1</span>}
      <span className="flex" aria-hidden>
        {Array.from({ length: HEAT_STEPS }, (_, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps are numbered
            key={at}
            data-paint="step"
            className="size-2.5 bg-current"
            style={{ color: `var(--heat-${at + 1})` }}
          />
        ))}
      </span>
      {most > 0 && <span>{formatCount(most)} a cell</span>}
    </div>
  );
}
