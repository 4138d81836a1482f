import type { Outcome } from '#gateway/contract/errors.ts';
import type { TenantLatency } from '#server/contract/latency.ts';
import { needOf } from './percentile.ts';

type Point = TenantLatency['points'][number];
type Marker = TenantLatency['markers'][number];

/** How far above the quieter part of the window p99 must be to count as raised. */
const RAISED = 1.5;
const RAISED_BY_US = 1_000;

export interface SentenceFacts {
  readonly points: readonly Point[];
  readonly markers: readonly Marker[];
  readonly requests: number;
  readonly p99Us: number | null;
  readonly targetP99Ms: number | null;
  readonly outcome: Outcome | 'all';
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number;
}

/**
 * What the window shows, by rule from its numbers: it says when something happened and which release became active
 * then, never that one caused the other. Times are UTC.
 */
export function sentenceOf(facts: SentenceFacts): string {
  const { points, requests, p99Us } = facts;
  if (requests === 0) {
    const span = `between ${timeWords(facts.fromMs, facts)} and ${timeWords(facts.toMs, facts)} UTC`;
    const dark = points.length > 0 && points.every(({ gap }) => gap);
    return dark ? `No data ${span}: no gateway reported.` : `No ${outcomeWords(facts.outcome)}requests ${span}.`;
  }
  const counted = `${requests.toLocaleString('en-US')} ${outcomeWords(facts.outcome)}request${requests === 1 ? '' : 's'}`;
  if (p99Us === null) return `${counted}; p99 needs ${needOf(0.99).toLocaleString('en-US')}.`;
  return changeWords(facts) ?? `p99 is ${msWords(p99Us)} ms over ${counted}${targetWords(p99Us, facts.targetP99Ms)}.`;
}

/** Microseconds as a figure in milliseconds: three significant digits at most, none that mean nothing. */
export function msWords(us: number): string {
  const ms = us / 1_000;
  return ms.toFixed(ms >= 10 ? 0 : ms >= 1 ? 1 : 2);
}

/** The longest run of raised p99, told from where it begins to where it ends; null when none stands out. */
function changeWords(facts: SentenceFacts): string | null {
  const known = facts.points.filter((point): point is Point & { p99Us: number } => point.p99Us !== null);
  if (known.length < 4) return null;
  const calm = quantile(known.map(({ p99Us }) => p99Us).sort(ascending), 0.25);
  const isRaised = (us: number) => us >= calm * RAISED && us - calm >= RAISED_BY_US;
  const run = longestRun(known.map(({ p99Us }) => isRaised(p99Us)));
  if (run === null) return null;
  const high = msWords(
    quantile(
      known
        .slice(run.from, run.to)
        .map(({ p99Us }) => p99Us)
        .sort(ascending),
      0.5,
    ),
  );
  const start = known[run.from];
  const end = known[run.to];
  const low = msWords(calm);
  if (run.from > 0 && start !== undefined) {
    const rose = `p99 rose from ${low} to ${high} ms at ${timeWords(start.atMs, facts)} UTC${releaseWords(start.atMs, facts)}`;
    if (end === undefined) return `${rose}.`;
    return `${rose}, and fell at ${timeWords(end.atMs, facts)} UTC${releaseWords(end.atMs, facts)}.`;
  }
  if (end === undefined) return null;
  return `p99 fell from ${high} to ${low} ms at ${timeWords(end.atMs, facts)} UTC${releaseWords(end.atMs, facts)}.`;
}

function longestRun(raised: readonly boolean[]): { readonly from: number; readonly to: number } | null {
  let best: { from: number; to: number } | null = null;
  let from = -1;
  for (let index = 0; index <= raised.length; index += 1) {
    if (raised[index] === true) {
      if (from < 0) from = index;
      continue;
    }
    // A single raised bucket is an outlier, not a change.
    if (from >= 0 && index - from >= 2 && (best === null || index - from > best.to - best.from)) {
      best = { from, to: index };
    }
    from = -1;
  }
  return best;
}

function releaseWords(atMs: number, { markers, bucketMs }: SentenceFacts): string {
  const near = markers
    .filter(({ firstMs }) => firstMs !== null && Math.abs(firstMs - atMs) <= bucketMs)
    .sort((a, b) => Math.abs((a.firstMs ?? 0) - atMs) - Math.abs((b.firstMs ?? 0) - atMs))[0];
  return near === undefined ? '' : `, when r${near.release} became active`;
}

function targetWords(p99Us: number, targetP99Ms: number | null): string {
  if (targetP99Ms === null) return '';
  return `, ${p99Us <= targetP99Ms * 1_000 ? 'within' : 'above'} its target of ${targetP99Ms} ms`;
}

function outcomeWords(outcome: Outcome | 'all'): string {
  const words: Readonly<Record<Outcome | 'all', string>> = {
    all: '',
    served: 'served ',
    notFound: 'not-found ',
    refused: 'refused ',
    overQuota: 'over-quota ',
    overloaded: 'overloaded ',
    failed: 'failed ',
  };
  return words[outcome];
}

function timeWords(atMs: number, { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): string {
  const iso = new Date(atMs).toISOString();
  const day = toMs - fromMs > 86_400_000 ? `${iso.slice(0, 10)} ` : '';
  return `${day}${iso.slice(11, 16)}`;
}

const ascending = (a: number, b: number) => a - b;

function quantile(sorted: readonly number[], p: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? 0;
}
