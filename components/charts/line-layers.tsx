'use client';

import { usePlotArea, useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import type { TenantLatency } from '#server/contract/latency.ts';
import { formatUs } from './duration-axis.ts';
import { LINES, lineEnds, lonePoints, spreadLabels } from './line-ends.ts';
import { OUTCOME_WORDS } from './outcome-words.ts';
import type { LatencyPoint } from './thin-points.ts';
import type { Span } from './time-axis.ts';

/** Above the grid and below the lines; and above the lines. */
const UNDER = 150;
const OVER = 600;

/** Hatched stretches in which no gateway reported. */
export function Gaps({ spans, hatchId }: { readonly spans: readonly Span[]; readonly hatchId: string }) {
  const plot = usePlotArea();
  const x = useXAxisScale();
  if (plot === undefined || x === undefined || spans.length === 0) return null;
  return (
    <ZIndexLayer zIndex={UNDER}>
      <Hatch id={hatchId} />
      {spans.map((span) => {
        const left = clamp(x(span.fromMs) ?? plot.x, plot.x, plot.x + plot.width);
        const right = clamp(x(span.toMs) ?? plot.x, plot.x, plot.x + plot.width);
        return (
          <g key={span.fromMs}>
            <rect
              x={left}
              y={plot.y}
              width={Math.max(2, right - left)}
              height={plot.height}
              fill={`url(#${hatchId})`}
            />
            {right - left >= 44 && (
              <text x={(left + right) / 2} y={plot.y + plot.height - 6} textAnchor="middle" {...NOTE}>
                no data
              </text>
            )}
          </g>
        );
      })}
    </ZIndexLayer>
  );
}

/** The pattern that means *no data* everywhere. */
export function Hatch({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" fill="var(--sunken)" />
        <rect width="1.25" height="6" fill="var(--edge)" opacity="0.55" />
      </pattern>
    </defs>
  );
}

const NOTE = { fill: 'var(--ink-3)', fontSize: 11 } as const;

interface MarkersProps {
  readonly markers: TenantLatency['markers'];
  readonly span: Span;
}

/** A band from the first gateway to the last, a line where all are live: solid, or dashed for a rollback. */
export function Markers({ markers, span }: MarkersProps) {
  const plot = usePlotArea();
  const x = useXAxisScale();
  if (plot === undefined || x === undefined) return null;
  const within = (ms: number) => clamp(x(clamp(ms, span.fromMs, span.toMs)) ?? plot.x, plot.x, plot.x + plot.width);
  let labelFrom = plot.x;
  return (
    <ZIndexLayer zIndex={UNDER}>
      {markers.map((marker) => {
        const begin = within(marker.firstMs ?? marker.publishedMs);
        const end = within(marker.allLiveMs ?? span.toMs);
        const isShown = marker.allLiveMs !== null && marker.allLiveMs >= span.fromMs;
        // A label that would lie on the one before is left out; the list below names every release.
        const labelAt = isShown ? end : begin;
        const hasLabel = labelAt >= labelFrom;
        if (hasLabel) labelFrom = labelAt + 40;
        return (
          <g key={marker.release}>
            {marker.firstMs !== null && (
              <rect
                x={begin}
                y={plot.y}
                width={Math.max(0, end - begin)}
                height={plot.height}
                fill="var(--accent)"
                opacity="0.14"
              />
            )}
            {isShown && (
              <line
                x1={end}
                x2={end}
                y1={plot.y - 4}
                y2={plot.y + plot.height}
                stroke="var(--accent)"
                strokeWidth="1.25"
                strokeDasharray={marker.isRollback ? '3 3' : undefined}
              />
            )}
            {hasLabel && (
              <text x={labelAt + 3} y={plot.y - 6} fill="var(--accent)" fontSize={11}>
                <tspan fontFamily="var(--font-mono)">r{marker.release}</tspan>
                {marker.isRollback ? ' ↩' : ''}
                {isShown ? '' : ' …'}
              </text>
            )}
          </g>
        );
      })}
    </ZIndexLayer>
  );
}

/** The target of p99 as a dotted line with its name. */
export function Target({ us }: { readonly us: number }) {
  const plot = usePlotArea();
  const y = useYAxisScale()?.(us);
  if (plot === undefined || y === undefined) return null;
  return (
    <ZIndexLayer zIndex={UNDER}>
      <line x1={plot.x} x2={plot.x + plot.width} y1={y} y2={y} stroke="var(--ink-3)" strokeDasharray="1 3" />
      <text x={plot.x + 4} y={y - 4} {...NOTE} stroke="var(--surface)" strokeWidth="3" paintOrder="stroke">
        target p99 {formatUs(us)}
      </text>
    </ZIndexLayer>
  );
}

/** Values whose neighbours have none. */
export function LonePoints({ points }: { readonly points: readonly LatencyPoint[] }) {
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (x === undefined || y === undefined) return null;
  return (
    <ZIndexLayer zIndex={OVER}>
      {LINES.flatMap((line) =>
        lonePoints(points, line.key).map((point) => (
          <circle
            key={`${line.key} ${point.atMs}`}
            cx={x(point.atMs)}
            cy={y(point[line.key])}
            r={line.widthPx}
            fill={line.colour}
          />
        )),
      )}
    </ZIndexLayer>
  );
}

interface DotsProps {
  readonly dots: TenantLatency['dots'];
  readonly onDot: (requestId: string) => void;
}

/** Single kept requests, where a bucket holds too few for p99. The ledger below lists the slowest for keyboards. */
export function Dots({ dots, onDot }: DotsProps) {
  const plot = usePlotArea();
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (plot === undefined || x === undefined || y === undefined) return null;
  return (
    <ZIndexLayer zIndex={OVER}>
      {dots.map((dot) => {
        const cx = x(dot.atMs);
        const cy = y(dot.us);
        if (cx === undefined || cy === undefined || cx < plot.x || cx > plot.x + plot.width) return null;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's short cut; every request is linked in a ledger
          <g key={dot.id} onClick={() => onDot(dot.id)} className="cursor-pointer">
            <circle cx={cx} cy={cy} r="7" fill="transparent" />
            <circle
              cx={cx}
              cy={cy}
              r="2.5"
              fill={dot.outcome === 'served' ? 'var(--surface)' : OUTCOME_WORDS[dot.outcome].colour}
              stroke={dot.outcome === 'served' ? 'var(--p95)' : OUTCOME_WORDS[dot.outcome].colour}
              strokeWidth="1.25"
            />
          </g>
        );
      })}
    </ZIndexLayer>
  );
}

/** A line that ends this near to the edge is labelled outside the plot. */
const NEAR_PX = 64;

/** The newest value of each line at its end, in ink. */
export function LineEnds({
  points,
  isNarrow,
}: {
  readonly points: readonly LatencyPoint[];
  readonly isNarrow: boolean;
}) {
  const plot = usePlotArea();
  const x = useXAxisScale();
  const y = useYAxisScale();
  if (plot === undefined || x === undefined || y === undefined) return null;
  const ends = lineEnds(points);
  const right = plot.x + plot.width;
  const places = spreadLabels(
    ends.map(({ us }) => y(us) ?? plot.y),
    15,
    { topPx: plot.y, bottomPx: plot.y + plot.height },
  );
  return (
    <ZIndexLayer zIndex={OVER}>
      {ends.map((end, at) => (
        <text
          key={end.key}
          x={right - (x(end.atMs) ?? right) < NEAR_PX ? right + 6 : (x(end.atMs) ?? right) + 6}
          y={(places[at] ?? 0) + 4}
          fill={end.key === 'p99Us' ? 'var(--ink)' : 'var(--ink-2)'}
          fontSize={12}
          fontWeight={end.key === 'p99Us' ? 600 : 400}
          stroke="var(--surface)"
          strokeWidth="4"
          paintOrder="stroke"
        >
          {isNarrow ? `${end.label} ${formatUs(end.us).replace(/\sms$/, '')}` : `${end.label} ${formatUs(end.us)}`}
        </text>
      ))}
    </ZIndexLayer>
  );
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
