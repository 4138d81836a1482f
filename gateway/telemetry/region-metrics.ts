import type { StoreRegion } from '#gateway/contract/machine-api.ts';

type Kind = 'counter' | 'gauge';
type Sample = readonly [labels: string, value: number];

const BREAKER = { closed: 0, halfOpen: 1, open: 2 } as const;

/** The store's regions as Prometheus text. `habitat_store_breaker` is 0 closed, 1 half open, 2 open. */
export function regionMetrics(regions: readonly StoreRegion[]): string {
  const each = (of: (region: StoreRegion) => number): Sample[] => regions.map((one) => [labelsOf(one), of(one)]);
  return [
    family(
      'habitat_store_attempts_total',
      'counter',
      each((one) => one.attempts),
    ),
    family(
      'habitat_store_failures_total',
      'counter',
      each((one) => one.failures),
    ),
    family(
      'habitat_store_throttled_total',
      'counter',
      each((one) => one.throttled),
    ),
    family(
      'habitat_store_hedges_total',
      'counter',
      each((one) => one.hedges),
    ),
    family(
      'habitat_store_hedges_won_total',
      'counter',
      each((one) => one.hedgesWon),
    ),
    family(
      'habitat_store_breaker',
      'gauge',
      each((one) => BREAKER[one.breaker]),
    ),
    family(
      'habitat_store_takes_writes',
      'gauge',
      each((one) => (one.takesWrites ? 1 : 0)),
    ),
    family('habitat_store_connections', 'gauge', regions.flatMap(connectionsOf)),
    family(
      'habitat_store_connections_opened_total',
      'counter',
      each((one) => one.connections.opened),
    ),
    family(
      'habitat_store_connection_requests_total',
      'counter',
      each((one) => one.connections.requests),
    ),
  ].join('');
}

function connectionsOf(region: StoreRegion): Sample[] {
  const { open, idle, waiting } = region.connections;
  const labels = labelsOf(region);
  return [
    [`${labels},state="busy"`, open - idle],
    [`${labels},state="idle"`, idle],
    [`${labels},state="waited_for"`, waiting],
  ];
}

function labelsOf({ account, region }: StoreRegion): string {
  return `account="${escaped(account)}",region="${escaped(region)}"`;
}

/** As the exposition format wants it: backslash, quote and line feed. */
function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}

function family(name: string, kind: Kind, samples: readonly Sample[]): string {
  return [`# TYPE ${name} ${kind}`, ...samples.map(([labels, value]) => `${name}{${labels}} ${value}`), ''].join('\n');
}
