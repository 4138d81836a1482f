import type { SeriesBatch } from './series.ts';

/** Running totals of a process, as Prometheus text (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export interface Metrics {
  absorb(batch: SeriesBatch): void;
  text(gauges: Readonly<Record<string, number>>): string;
}

interface Total {
  requests: number;
  seconds: number;
  ru: number;
}

/** Labels of one tenant's requests are bounded by registered tenants × operations × outcomes. */
export function createMetrics(): Metrics {
  const totals = new Map<string, Total>();
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
    },
    text: (gauges) => {
      const lines = [
        ...family('habitat_requests_total', 'counter', totals, (total) => total.requests),
        ...family('habitat_request_seconds_total', 'counter', totals, (total) => total.seconds),
        ...family('habitat_request_units_total', 'counter', totals, (total) => total.ru),
        ...Object.entries(gauges).flatMap(([name, value]) => [`# TYPE ${name} gauge`, `${name} ${value}`]),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

function family(
  name: string,
  type: string,
  totals: ReadonlyMap<string, Total>,
  of: (total: Total) => number,
): string[] {
  return [`# TYPE ${name} ${type}`, ...[...totals].map(([labels, total]) => `${name}{${labels}} ${of(total)}`)];
}
