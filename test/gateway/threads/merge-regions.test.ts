import { describe, expect, it } from 'vitest';
import type { RegionStatus } from '#gateway/store/regions/health.ts';
import { summaryOf } from '#gateway/store/summary.ts';
import { regionMetrics } from '#gateway/telemetry/region-metrics.ts';
import { addGone, mergeRegions } from '#gateway/threads/merge-regions.ts';
import type { WorkerStatus } from '#gateway/threads/messages.ts';
import { readinessOf } from '#gateway/threads/readiness.ts';

function region(name: string, change: Partial<RegionStatus> = {}): RegionStatus {
  return {
    account: 'acct',
    region: name,
    takesWrites: name === 'East',
    breaker: 'closed',
    breakerSinceMs: null,
    ...{ attempts: 10, failures: 1, throttled: 2, hedges: 3, hedgesWon: 1 },
    connections: { open: 4, idle: 3, waiting: 0, opened: 5, requests: 100 },
    check: { atMs: 1, isWell: true, problem: '' },
    ...change,
  };
}

const down = (name: string) => region(name, { check: { atMs: 2, isWell: false, problem: 'It answered 503.' } });

describe('the regions of a process', () => {
  it('add up over its workers, and of their checks the newest counts', () => {
    const [east, ...others] = mergeRegions([[region('East')], [], [down('East')]], []);
    expect(others).toEqual([]);
    expect(east).toMatchObject({ attempts: 20, failures: 2, throttled: 4, hedges: 6, hedgesWon: 2 });
    expect(east?.connections).toEqual({ open: 8, idle: 6, waiting: 0, opened: 10, requests: 200 });
    expect(east?.check?.isWell).toBe(false);
  });

  it('keep what workers counted that ended, but not their connections', () => {
    const once = addGone([], [region('East'), region('West')]);
    const twice = addGone(once, [region('East')]);
    const merged = mergeRegions([[region('East'), region('West')]], [twice]);
    expect(merged.map(({ region: name, attempts }) => [name, attempts])).toEqual([
      ['East', 30],
      ['West', 20],
    ]);
    expect(merged[0]?.connections).toEqual({ open: 4, idle: 3, waiting: 0, opened: 15, requests: 300 });
    expect(mergeRegions([], [twice])).toEqual([]);
  });
});

describe('readiness', () => {
  const status: WorkerStatus = { inFlight: 0, loopDelayP99Ms: 0, loopDelayMaxMs: 0, auditLost: 0, regions: [] };
  const readiness = (regions: readonly RegionStatus[]) =>
    readinessOf({ serves: { epoch: 1, number: 1 }, hasContact: true, statuses: [status], regions, auditBacklog: 0 });

  it('is not lost with one region, and says which is down', () => {
    const { missing, details } = readiness([region('East'), down('West')]);
    expect(missing).toEqual([]);
    expect(details.store).toEqual({
      reachable: true,
      message: 'Cosmos DB answers in East, not everywhere: West: It answered 503.',
    });
  });

  it('is lost when no region answers, or none was asked', () => {
    expect(readiness([down('East'), down('West')]).missing).toEqual([
      'The store: Cosmos DB does not answer: East: It answered 503. West: It answered 503.',
    ]);
    expect(readiness([region('East', { check: null })]).missing).toEqual(['The store: The store was not asked yet.']);
  });

  it('tells a region whose breaker is open as down before its next check', () => {
    expect(summaryOf([region('East', { breaker: 'open' }), region('West')]).message).toBe(
      'Cosmos DB answers reads in West and takes no writes: East: no answer.',
    );
  });
});

describe('the metrics of regions', () => {
  it('are Prometheus text with a line for each region', () => {
    const text = regionMetrics([region('East "1"'), region('West', { breaker: 'open' })]);
    expect(text).toContain('# TYPE habitat_store_attempts_total counter\n');
    expect(text).toContain('habitat_store_attempts_total{account="acct",region="East \\"1\\""} 10\n');
    expect(text).toContain('habitat_store_breaker{account="acct",region="West"} 2\n');
    expect(text).toContain('habitat_store_connections{account="acct",region="West",state="busy"} 1\n');
    expect(text).toContain('habitat_store_connection_requests_total{account="acct",region="West"} 100\n');
    expect(text.endsWith('\n')).toBe(true);
  });
});
