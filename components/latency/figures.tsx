'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { withQuery } from '#components/api-client.ts';
import type { HeatCell } from '#components/charts/heat-grid.ts';
import { heatGrid } from '#components/charts/heat-grid.ts';
import { heatTable } from '#components/charts/heat-words.ts';
import { MarkerList } from '#components/charts/marker-list.tsx';
import { OutcomeLegend } from '#components/charts/outcome-legend.tsx';
import { OUTCOME_WORDS } from '#components/charts/outcome-words.ts';
import { gapSpans } from '#components/charts/thin-points.ts';
import { Figure } from '#components/ui/figure.tsx';
import { FigureToggle } from '#components/ui/figure-toggle.tsx';
import { formatCount, formatShare } from '#components/ui/format-number.ts';
import { formatSpan } from '#components/ui/format-time.ts';
import { usePreferences } from '#components/ui/preferences.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { OUTCOMES } from '#gateway/contract/errors.ts';
import type { TenantLatency } from '#server/contract/latency.ts';
import { HALF_PX, LINES_PX } from './figure-sizes.ts';
import { outcomeTable, percentileTable } from './figure-tables.ts';
import type { LatencyScope } from './latency-scope.ts';

// recharts and the canvas are chunks that arrive after the first paint, into boxes that already have their size.
const Lines = dynamic(() => import('#components/charts/lines.tsx').then((module) => module.Lines), { ssr: false });
const Stack = dynamic(() => import('#components/charts/stack.tsx').then((module) => module.Stack), { ssr: false });
const Heatmap = dynamic(() => import('#components/charts/heatmap.tsx').then((module) => module.Heatmap), {
  ssr: false,
});

interface FiguresProps {
  readonly data: TenantLatency;
  readonly scope: LatencyScope;
  readonly onScale: (scale: 'log' | 'linear') => void;
}

/** Percentiles, then the distribution and the outcomes side by side, on one time axis each. */
export function Figures(props: FiguresProps) {
  return (
    <Ruled columns={2}>
      <div className="desk:col-span-2">
        <Percentiles {...props} />
        <MarkerList markers={props.data.markers} />
      </div>
      <Distribution {...props} />
      <Outcomes {...props} />
    </Ruled>
  );
}

function Percentiles({ data, scope, onScale }: FiguresProps) {
  const router = useRouter();
  const { zone } = usePreferences();
  const isLog = scope.scale === 'log';
  return (
    <Figure
      title={`Latency at the gateway, ${scope.outcome === 'all' ? 'all' : OUTCOME_WORDS[scope.outcome].label} requests`}
      source={`${formatSpan(data.bucketMs)} buckets · ${formatCount(data.requests)} requests · error ≤ ${formatShare(data.relativeError)}${needWords(data)}`}
      heightPx={LINES_PX}
      table={() => percentileTable(data, zone)}
      acts={
        <FigureToggle on={isLog} onChange={(on) => onScale(on ? 'log' : 'linear')}>
          Log
        </FigureToggle>
      }
    >
      <Lines
        label={`p50, p95 and p99 of ${data.tenant} over time`}
        span={spanOf(data)}
        bucketMs={data.bucketMs}
        points={data.points}
        dots={data.dots}
        markers={data.markers}
        targetP99Ms={data.targetP99Ms}
        scale={scope.scale}
        heightPx={LINES_PX - 12}
        onDot={(id) => router.push(`/requests/${encodeURIComponent(id)}`)}
      />
    </Figure>
  );
}

/** The charts begin with the first whole bucket. */
function spanOf({ points, fromMs, toMs }: TenantLatency) {
  return { fromMs: Math.min(fromMs, points[0]?.atMs ?? fromMs), toMs };
}

function needWords({ dots }: TenantLatency): string {
  return dots.length === 0 ? '' : ' · p99 needs 1,000 a bucket: dots are single kept requests';
}

function Distribution({ data, scope }: FiguresProps) {
  const router = useRouter();
  const { zone } = usePreferences();
  const grid = useMemo(() => heatGrid(data.heatmap, spanOf(data).fromMs), [data]);
  const gaps = useMemo(() => gapSpans(data.points, data.bucketMs), [data]);
  return (
    <Figure
      title="Distribution"
      source="requests per cell, √ scale · a cell opens its kept requests"
      heightPx={HALF_PX}
      table={() => heatTable(grid, zone)}
    >
      <Heatmap
        label={`Requests of ${data.tenant} by time and duration`}
        grid={grid}
        gaps={gaps}
        heightPx={HALF_PX - 12}
        onCell={(cell) => router.push(cellHref(data.tenant, scope, cell))}
      />
    </Figure>
  );
}

function cellHref(tenant: string, scope: LatencyScope, cell: HeatCell): string {
  return withQuery('/requests', {
    tenant,
    from: cell.fromMs,
    to: cell.toMs,
    slower: Math.floor(cell.fromUs),
    faster: Math.ceil(cell.toUs),
    outcome: scope.outcome === 'all' || scope.outcome === 'served' ? undefined : scope.outcome,
    operation: scope.operation === 'all' ? undefined : scope.operation,
    gateway: scope.gateway === 'all' ? undefined : scope.gateway,
  });
}

function Outcomes({ data }: FiguresProps) {
  const { zone } = usePreferences();
  const present = OUTCOMES.filter((outcome) => data.points.some(({ outcomes }) => outcomes[outcome] > 0));
  return (
    <Figure title="Outcomes per second" source="all requests" heightPx={HALF_PX} table={() => outcomeTable(data, zone)}>
      <Stack
        label={`Outcomes of ${data.tenant} per second`}
        span={spanOf(data)}
        bucketMs={data.bucketMs}
        points={data.points}
        heightPx={HALF_PX - 52}
      />
      <OutcomeLegend outcomes={present} />
    </Figure>
  );
}
