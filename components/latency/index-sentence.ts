import { formatUs } from '#components/charts/duration-axis.ts';
import { plural } from '#components/ui/format-number.ts';
import type { LatencyIndex } from '#server/contract/latency.ts';

type Row = LatencyIndex['tenants'][number];

/** From here on p99 is not usual any more. */
const UNUSUAL = 1.5;
const UNUSUAL_BY_US = 1_000;

/** How far p99 is above usual; null where either is not known. */
export function ratioOf({ p99Us, usualP99Us }: Pick<Row, 'p99Us' | 'usualP99Us'>): number | null {
  return p99Us === null || usualP99Us === null || usualP99Us === 0 ? null : p99Us / usualP99Us;
}

/** Whether a tenant stands out: half as slow again as usual, and by more than a millisecond. */
export function isUnusual(row: Pick<Row, 'p99Us' | 'usualP99Us'>): boolean {
  const ratio = ratioOf(row);
  return ratio !== null && ratio >= UNUSUAL && (row.p99Us ?? 0) - (row.usualP99Us ?? 0) >= UNUSUAL_BY_US;
}

/** What the list of tenants shows, in one sentence made from its numbers. */
export function indexSentence(tenants: readonly Row[]): string {
  const busy = tenants.filter(({ requests }) => requests > 0);
  if (busy.length === 0) return 'No requests in this time.';
  const slow = tenants.filter(isUnusual);
  const [worst] = slow;
  if (worst !== undefined) {
    const others = slow.length === 1 ? '' : `, and ${plural(slow.length - 1, 'more tenant')} above usual`;
    return `${worst.tenant} is slower than usual: p99 ${formatUs(worst.p99Us ?? 0)}, usual ${formatUs(worst.usualP99Us ?? 0)}${others}.`;
  }
  const missed = tenants.find(({ p99Us, targetP99Ms }) => isAbove(p99Us, targetP99Ms));
  if (missed !== undefined)
    return `${missed.tenant} is above its target: p99 ${formatUs(missed.p99Us ?? 0)}, target ${missed.targetP99Ms}\u00a0ms.`;
  if (busy.every((row) => row.p99Us === null)) return 'Too few requests for p99, which needs 1,000.';
  if (busy.every((row) => ratioOf(row) === null))
    return 'Nothing to compare with yet: usual is p99 of the 24 hours before.';
  return 'Nothing unusual.';
}

function isAbove(p99Us: number | null, targetP99Ms: number | null): boolean {
  return p99Us !== null && targetP99Ms !== null && p99Us > targetP99Ms * 1_000;
}
