'use client';

import { usePlotArea, useXAxisScale, ZIndexLayer } from 'recharts';
import { Hatch } from './line-layers.tsx';
import type { OutcomeBar } from './thin-points.ts';

/** The hatch behind bars for which no gateway reported. */
export function StackGaps({ bars, hatchId }: { readonly bars: readonly OutcomeBar[]; readonly hatchId: string }) {
  const plot = usePlotArea();
  const x = useXAxisScale();
  if (plot === undefined || x === undefined) return null;
  const widthPx = plot.width / Math.max(1, bars.length);
  return (
    <ZIndexLayer zIndex={150}>
      <Hatch id={hatchId} />
      {bars
        .filter(({ gap }) => gap)
        .map(({ atMs }) => (
          <rect
            key={atMs}
            x={x(atMs, { position: 'start' })}
            y={plot.y}
            width={widthPx}
            height={plot.height}
            fill={`url(#${hatchId})`}
          />
        ))}
    </ZIndexLayer>
  );
}
