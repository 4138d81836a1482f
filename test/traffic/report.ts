import type { Hit } from './send.ts';

/** One line about the last seconds. */
export function progressLine(secondsSoFar: number, recent: readonly Hit[]): string {
  const bad = recent.filter(({ isServed }) => !isServed).length;
  const p99 = percentile(recent, 0.99);
  const refused = bad === 0 ? '' : `, ${bad} not served`;
  return `${String(Math.round(secondsSoFar)).padStart(4)} s  ${recent.length} requests, p99 ${format(p99)}${refused}`;
}

/** A ledger by operation, then by result. */
export function summary(hits: readonly Hit[]): string {
  const operations = [...new Set(hits.map(({ operation }) => operation))].sort();
  const rows = operations.map((operation) => {
    const own = hits.filter((hit) => hit.operation === operation);
    const columns = [0.5, 0.95, 0.99].map((p) => format(percentile(own, p)).padStart(10));
    return `${operation.padEnd(14)}${String(own.length).padStart(8)}${columns.join('')}`;
  });
  const results = [...new Set(hits.map(({ result }) => result))].sort();
  const counts = results.map((result) => `${result} ${hits.filter((hit) => hit.result === result).length}`);
  const head = `${'operation'.padEnd(14)}${'requests'.padStart(8)}${['p50', 'p95', 'p99'].map((p) => p.padStart(10)).join('')}`;
  return [head, ...rows, '', `Results: ${counts.join(', ')}`].join('\n');
}

function percentile(hits: readonly Hit[], p: number): number | null {
  const sorted = hits.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)] ?? null;
}

function format(ms: number | null): string {
  return ms === null ? '–' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
