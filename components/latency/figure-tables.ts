import { formatUsOr } from '#components/charts/duration-axis.ts';
import { OUTCOME_WORDS } from '#components/charts/outcome-words.ts';
import { perSecondWords } from '#components/charts/per-second.ts';
import type { FigureTable } from '#components/ui/figure.tsx';
import { formatCount } from '#components/ui/format-number.ts';
import { formatTime } from '#components/ui/format-time.ts';
import { OUTCOMES } from '#gateway/contract/errors.ts';
import type { TenantLatency } from '#server/contract/latency.ts';

type Zone = 'local' | 'utc';
type Data = Pick<TenantLatency, 'points' | 'bucketMs' | 'fromMs' | 'toMs'>;

/** Percentiles by bucket. */
export function percentileTable(data: Data, zone: Zone): FigureTable {
  return {
    heads: ['Time', 'p50', 'p95', 'p99', 'Longest', 'Requests'],
    rows: data.points.map((point) => [
      timeOf(point.atMs, data, zone),
      ...(point.gap
        ? ['no data', 'no data', 'no data', 'no data']
        : [point.p50Us, point.p95Us, point.p99Us, point.maxUs].map((us) => formatUsOr(us))),
      formatCount(point.requests),
    ]),
  };
}

/** Outcomes per second by bucket. */
export function outcomeTable(data: Data, zone: Zone): FigureTable {
  return {
    heads: ['Time', ...OUTCOMES.map((outcome) => OUTCOME_WORDS[outcome].label)],
    rows: data.points.map((point) => [
      timeOf(point.atMs, data, zone),
      ...OUTCOMES.map((outcome) =>
        point.gap ? 'no data' : perSecondWords(point.outcomes[outcome] / (data.bucketMs / 1_000)),
      ),
    ]),
  };
}

function timeOf(atMs: number, { fromMs, toMs }: Data, zone: Zone): string {
  const timeZone = zone === 'utc' ? 'UTC' : undefined;
  const day = toMs - fromMs > 86_400_000 ? `${formatTime(atMs, 'date', timeZone)} ` : '';
  return `${day}${formatTime(atMs, 'second', timeZone)}`;
}
