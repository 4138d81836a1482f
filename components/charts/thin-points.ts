import { OUTCOMES, type Outcome } from '#gateway/contract/errors.ts';
import type { TenantLatency } from '#server/contract/latency.ts';
import type { Span } from './time-axis.ts';

export type LatencyPoint = TenantLatency['points'][number];

/** Points as they are drawn: fewer, each keeping the largest value of those it stands for. */
export function thinPoints(points: readonly LatencyPoint[], most: number): readonly LatencyPoint[] {
  const group = Math.ceil(points.length / Math.max(1, most));
  if (group <= 1) return points;
  return chunks(points, group).map((inside) => ({
    ...inside[0],
    requests: inside.reduce((sum, { requests }) => sum + requests, 0),
    p50Us: largest(inside, 'p50Us'),
    p95Us: largest(inside, 'p95Us'),
    p99Us: largest(inside, 'p99Us'),
    maxUs: largest(inside, 'maxUs'),
    gap: inside.every(({ gap }) => gap),
    outcomes: sumOutcomes(inside),
  }));
}

/** One bar of outcomes: how many per second in its stretch of time. */
export interface OutcomeBar {
  readonly atMs: number;
  readonly widthMs: number;
  readonly gap: boolean;
  readonly requests: number;
  readonly perSecond: Readonly<Record<Outcome, number>>;
}

/** Outcomes per second, at most `most` bars; the counts of joined buckets are added, never averaged away. */
export function outcomeBars(points: readonly LatencyPoint[], bucketMs: number, most: number): readonly OutcomeBar[] {
  const group = Math.max(1, Math.ceil(points.length / Math.max(1, most)));
  return chunks(points, group).map((inside) => {
    const widthMs = inside.length * bucketMs;
    const counts = sumOutcomes(inside);
    const perSecond = Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, counts[outcome] / (widthMs / 1_000)]),
    ) as Record<Outcome, number>;
    const requests = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
    return { atMs: inside[0].atMs, widthMs, gap: inside.every(({ gap }) => gap), requests, perSecond };
  });
}

/** Stretches in which no gateway reported, neighbours joined. */
export function gapSpans(points: readonly LatencyPoint[], bucketMs: number): readonly Span[] {
  const spans: { fromMs: number; toMs: number }[] = [];
  for (const { atMs, gap } of points) {
    if (!gap) continue;
    const last = spans.at(-1);
    if (last?.toMs === atMs) last.toMs = atMs + bucketMs;
    else spans.push({ fromMs: atMs, toMs: atMs + bucketMs });
  }
  return spans;
}

function largest(inside: readonly LatencyPoint[], key: 'p50Us' | 'p95Us' | 'p99Us' | 'maxUs'): number | null {
  return inside.reduce<number | null>((most, point) => {
    const value = point[key];
    return value === null ? most : Math.max(most ?? value, value);
  }, null);
}

function sumOutcomes(inside: readonly LatencyPoint[]): Record<Outcome, number> {
  const sums = { served: 0, notFound: 0, refused: 0, overQuota: 0, overloaded: 0, failed: 0 };
  for (const { outcomes } of inside) for (const outcome of OUTCOMES) sums[outcome] += outcomes[outcome];
  return sums;
}

function chunks(points: readonly LatencyPoint[], size: number): [LatencyPoint, ...LatencyPoint[]][] {
  const groups: [LatencyPoint, ...LatencyPoint[]][] = [];
  points.forEach((point, at) => {
    if (at % size === 0) groups.push([point]);
    else groups.at(-1)?.push(point);
  });
  return groups;
}
