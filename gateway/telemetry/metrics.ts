import { createSealedCounts, type SealedBatch } from '#gateway/content/sealed-counts.ts';
import { createMisfits, type MisfitBatch } from './misfits.ts';
import type { SeriesBatch } from './series.ts';

/** Running totals of a process, as Prometheus text (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export interface Metrics {
  absorb(batch: SeriesBatch): void;
  absorbSealed(batch: SealedBatch): void;
  absorbMisfits(batch: MisfitBatch): void;
  text(gauges: Readonly<Record<string, number>>): string;
}

interface Total {
  requests: number;
  seconds: number;
  ru: number;
}

/** Labels are bounded: registered tenants × operations × outcomes, and registered types × operations. */
export function createMetrics(): Metrics {
  const totals = new Map<string, Total>();
  const cached = new Map<string, number>();
  const sealed = createSealedCounts();
  const misfits = createMisfits();
  return {
    absorb: (batch) => {
      for (const { tenant, operation, outcome, count, sumUs, ru } of batch.tenants) {
        const labels = `tenant="${tenant}",operation="${operation}",outcome="${outcome}"`;
        const total = totals.get(labels) ?? { requests: 0, seconds: 0, ru: 0 };
        totals.set(labels, {
          requests: total.requests + count,
          seconds: total.seconds + sumUs / 1e6,
          ru: total.ru + ru,
        });
      }
      for (const { type, operation, cacheHits, cacheMisses } of batch.types) {
        const labels = `type="${type}",operation="${operation}"`;
        if (cacheHits > 0) add(cached, `${labels},found="hit"`, cacheHits);
        if (cacheMisses > 0) add(cached, `${labels},found="miss"`, cacheMisses);
      }
    },
    absorbSealed: (batch) => sealed.absorb(batch),
    absorbMisfits: (batch) => misfits.absorb(batch),
    text: (gauges) => {
      const lines = [
        ...family('habitat_requests_total', 'counter', totals, (total) => total.requests),
        ...family('habitat_request_seconds_total', 'counter', totals, (total) => total.seconds),
        ...family('habitat_request_units_total', 'counter', totals, (total) => total.ru),
        ...family('habitat_cache_reads_total', 'counter', cached, (count) => count),
        ...sealedFamilies(sealed.totals()),
        ...misfitFamily(misfits.totals()),
        ...Object.entries(gauges).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

function add(sums: Map<string, number>, labels: string, count: number): void {
  sums.set(labels, (sums.get(labels) ?? 0) + count);
}

function misfitFamily(batch: MisfitBatch): string[] {
  const labelled = new Map(batch.map((one) => [`type="${one.type}",became="${one.became}"`, one]));
  return family('habitat_content_misfits_total', 'counter', labelled, ({ count }) => count);
}

function family<T>(name: string, type: string, totals: ReadonlyMap<string, T>, of: (total: T) => number): string[] {
  return [`# TYPE ${name} ${type}`, ...[...totals].map(([labels, total]) => `${name}{${labels}} ${of(total)}`)];
}

/** Plain bytes over stored bytes is what compression is worth for a type. */
function sealedFamilies(batch: SealedBatch): string[] {
  const labelled = new Map(batch.map((one) => [`type="${one.type}",codec="${one.codec}"`, one]));
  return [
    ...family('habitat_content_sealed_total', 'counter', labelled, ({ contents }) => contents),
    ...family('habitat_content_plain_bytes_total', 'counter', labelled, ({ plainBytes }) => plainBytes),
    ...family('habitat_content_stored_bytes_total', 'counter', labelled, ({ storedBytes }) => storedBytes),
  ];
}
