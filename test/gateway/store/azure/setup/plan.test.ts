import { describe, expect, it } from 'vitest';
import type { AccountState, ContainerState } from '#gateway/store/azure/setup/account-state.ts';
import { indexText } from '#gateway/store/azure/setup/differences.ts';
import { planSetup } from '#gateway/store/azure/setup/plan.ts';
import { CONTAINER_DEFINITION, LEASES_DEFINITION } from '#gateway/store/layout/container.ts';

const wishes = (maxRu: number | null) => [
  { layout: CONTAINER_DEFINITION, maxRu },
  { layout: LEASES_DEFINITION, maxRu },
];

/** An account as wished, but for these changes of its main container and of itself. */
function stateWith(main: Partial<ContainerState>, change: Partial<AccountState> = {}): AccountState {
  return {
    ...{ consistency: 'BoundedStaleness', writeRegions: ['A'], readRegions: ['A', 'B'], multipleWrites: false },
    hasDatabase: true,
    containers: new Map([
      ['main', { definition: CONTAINER_DEFINITION, throughput: null, ...main }],
      ['leases', { definition: LEASES_DEFINITION, throughput: null }],
    ]),
    ...change,
  };
}

const definition = (change: object) => ({ definition: { ...CONTAINER_DEFINITION, ...change } });

describe('the plan', () => {
  it('of an account as wished is empty', () => {
    expect(planSetup(stateWith({}), wishes(null))).toMatchObject({ changes: [], obstacles: [] });
  });

  it.each([
    [{ partitionKey: { paths: ['/pk'] } }, 'its partition key is /pk (version 1), not /pk (version 2)'],
    [{ partitionKey: { paths: ['/pk', '/id'], kind: 'MultiHash', version: 2 } }, '/pk, /id (hierarchical, version 2)'],
    [{ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/s'] }] } }, 'it has unique keys'],
  ])('has no way around what is fixed: %j', (change, obstacle) => {
    const plan = planSetup(stateWith(definition(change)), wishes(4_000));
    expect(plan.changes).toEqual([]);
    expect(plan.obstacles).toEqual([expect.stringContaining(obstacle)]);
  });

  it.each([
    [{ defaultTtl: undefined }, 'expiry: off → on, item by item'],
    [{ indexingPolicy: undefined }, 'index: everything → /s/? without /*'],
    [{ indexingPolicy: { indexingMode: 'none' } }, 'index: none → /s/? without /*'],
  ])('replaces what can be changed: %j', (change, difference) => {
    const plan = planSetup(stateWith(definition(change)), wishes(null));
    expect(plan.changes).toMatchObject([{ kind: 'replace container', differences: [difference] }]);
  });

  it('names what a level of consistency means and costs', () => {
    const noteOf = (consistency: string) => planSetup(stateWith({}, { consistency }), wishes(null)).notes.join();
    expect(noteOf('BoundedStaleness')).toMatch(/twice the request units/);
    expect(noteOf('Strong')).toMatch(/more than Habitat needs/);
    for (const weaker of ['Session', 'ConsistentPrefix', 'Eventual']) {
      expect(noteOf(weaker)).toMatch(new RegExp(`^Consistency is ${weaker}; .*--default-consistency-level Bounded`));
    }
  });

  it('scales only what scales, and only when asked to', () => {
    const scaling = { throughput: { offerId: 'o', kind: 'autoscale', ruPerSecond: 1_000 } } as const;
    const byHand = { throughput: { offerId: 'o', kind: 'manual', ruPerSecond: 400 } } as const;
    expect(planSetup(stateWith(scaling), wishes(null)).changes).toEqual([]);
    expect(planSetup(stateWith(scaling), wishes(1_000)).changes).toEqual([]);
    expect(planSetup(stateWith(scaling), wishes(4_000)).changes).toMatchObject([
      { kind: 'scale', fromRu: 1_000, toRu: 4_000 },
    ]);
    const manual = planSetup(stateWith(byHand), wishes(4_000));
    expect(manual.changes).toEqual([]);
    expect(manual.notes.join()).toMatch(/has 400 RU\/s, set by hand.*--throughput-type autoscale/);
  });
});

describe('two indexing policies', () => {
  it('are the same whatever the service adds and the order', () => {
    const { indexingPolicy } = CONTAINER_DEFINITION;
    const excludedPaths = [{ path: '/"_etag"/?' }, { path: '/*' }];
    expect(indexText({ ...indexingPolicy, excludedPaths, compositeIndexes: [] })).toBe(indexText(indexingPolicy));
  });

  it('differ by every further index', () => {
    const { indexingPolicy } = CONTAINER_DEFINITION;
    const compositeIndexes = [[{ path: '/s', order: 'ascending' as const }]];
    expect(indexText({ ...indexingPolicy, compositeIndexes })).toBe('/s/? without /*, composite indexes');
    expect(indexText({ ...indexingPolicy, automatic: false })).toBe('/s/? without /*, only items that ask for it');
  });
});
