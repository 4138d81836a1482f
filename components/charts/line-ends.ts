import type { LatencyPoint } from './thin-points.ts';

/** The three lines, quiet to loud: one hue, darker and thicker upwards. */
export const LINES = [
  { key: 'p50Us', label: 'p50', colour: 'var(--p50)', widthPx: 1.25, need: 20 },
  { key: 'p95Us', label: 'p95', colour: 'var(--p95)', widthPx: 1.75, need: 200 },
  { key: 'p99Us', label: 'p99', colour: 'var(--p99)', widthPx: 2.25, need: 1_000 },
] as const;
export type LineKey = (typeof LINES)[number]['key'];

export interface LineEnd {
  readonly key: LineKey;
  readonly label: string;
  readonly us: number;
  /** When it was so: the line may end before the chart does. */
  readonly atMs: number;
}

/** The newest value of each line that has one, for the label at its end. */
export function lineEnds(points: readonly LatencyPoint[]): readonly LineEnd[] {
  return LINES.flatMap(({ key, label }) => {
    const last = points.findLast((point) => point[key] !== null);
    const us = last?.[key] ?? null;
    return last === undefined || us === null ? [] : [{ key, label, us, atMs: last.atMs }];
  });
}

/** Moves labels apart so that neighbours keep `stepPx`, as little as it takes, within the plot. Keeps the given order. */
export function spreadLabels(
  wantedPx: readonly number[],
  stepPx: number,
  plot: { readonly topPx: number; readonly bottomPx: number },
): readonly number[] {
  const order = wantedPx.map((_, at) => at).sort((a, b) => (wantedPx[a] ?? 0) - (wantedPx[b] ?? 0));
  const placed = [...wantedPx];
  let floor = plot.topPx;
  for (const at of order) {
    placed[at] = Math.max(floor, wantedPx[at] ?? 0);
    floor = (placed[at] ?? 0) + stepPx;
  }
  let ceiling = plot.bottomPx;
  for (const at of order.toReversed()) {
    placed[at] = Math.min(ceiling, placed[at] ?? 0);
    ceiling = (placed[at] ?? 0) - stepPx;
  }
  return placed;
}

/** Points that stand alone between two without a value: a line cannot show them, so they are drawn as dots. */
export function lonePoints(points: readonly LatencyPoint[], key: LineKey): readonly LatencyPoint[] {
  return points.filter(
    (point, at) =>
      point[key] !== null && (points[at - 1]?.[key] ?? null) === null && (points[at + 1]?.[key] ?? null) === null,
  );
}
