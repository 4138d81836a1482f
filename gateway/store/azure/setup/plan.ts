import { DATABASE, type Layout } from '#gateway/store/layout/container.ts';
import type { AccountState, ContainerState } from './account-state.ts';
import { differencesOf, indexText, keyText, ttlText } from './differences.ts';

/** One thing that the setup would do. */
export type Change =
  | { readonly kind: 'create database' }
  | { readonly kind: 'create container'; readonly layout: Layout; readonly maxRu: number | null }
  | { readonly kind: 'replace container'; readonly layout: Layout; readonly differences: readonly string[] }
  | {
      readonly kind: 'scale';
      readonly id: string;
      readonly offerId: string;
      readonly fromRu: number;
      readonly toRu: number;
    };

export interface Plan {
  readonly changes: readonly Change[];
  /** What Habitat cannot work with and this command cannot change; each says what to do. */
  readonly obstacles: readonly string[];
  /** What an operator should know. */
  readonly notes: readonly string[];
}

export interface Wish {
  readonly layout: Layout;
  /** Most request units a second of the container, by autoscale; null leaves throughput alone. */
  readonly maxRu: number | null;
}

/** What has to be done to an account so that it is as wished. Pure. */
export function planSetup(state: AccountState, wishes: readonly Wish[]): Plan {
  const changes: Change[] = state.hasDatabase ? [] : [{ kind: 'create database' }];
  const obstacles: string[] = [];
  const notes = [consistencyNote(state.consistency)];
  if (state.multipleWrites) obstacles.push(MULTIPLE_WRITES);
  for (const { layout, maxRu } of wishes) {
    const found = state.containers.get(layout.id) ?? null;
    if (found === null) {
      changes.push({ kind: 'create container', layout, maxRu });
      continue;
    }
    const { fixed, changeable } = differencesOf(found.definition, layout);
    for (const difference of fixed) obstacles.push(obstacleOf(layout.id, difference));
    if (fixed.length > 0) continue;
    if (changeable.length > 0) changes.push({ kind: 'replace container', layout, differences: changeable });
    planThroughput({ id: layout.id, found, maxRu }, { changes, notes });
  }
  return { changes, obstacles, notes };
}

export function describeChange(change: Change): string {
  switch (change.kind) {
    case 'create database':
      return `create database ${DATABASE}`;
    case 'create container': {
      const { id, partitionKey, defaultTtl, indexingPolicy } = change.layout;
      const { maxRu } = change;
      const scale =
        maxRu === null ? 'as the account gives it (400 RU/s, or serverless)' : `autoscale up to ${maxRu} RU/s`;
      const what = `partition key ${keyText(partitionKey)}; expiry: ${ttlText(defaultTtl)}`;
      return `create container ${id}: ${what}; index: ${indexText(indexingPolicy)}; throughput: ${scale}`;
    }
    case 'replace container':
      return `change container ${change.layout.id}: ${change.differences.join('; ')}`;
    case 'scale':
      return `scale container ${change.id}: up to ${change.fromRu} → ${change.toRu} RU/s`;
    default:
      return change satisfies never;
  }
}

const MULTIPLE_WRITES =
  'Several regions take writes. Counts of edges would be lost when two regions count at once: switch it off with ' +
  '`az cosmosdb update --name <account> --resource-group <group> --enable-multiple-write-locations false`.';

function obstacleOf(id: string, difference: string): string {
  return (
    `Container ${id} cannot be used: ${difference}. That is fixed when a container is made: copy what it holds, ` +
    'delete it, and run this again.'
  );
}

/** What each level of the account means here, and what it costs. */
function consistencyNote(level: string): string {
  switch (level) {
    case 'BoundedStaleness':
      return (
        'Consistency is BoundedStaleness, as expected: other regions stay behind by a bounded number of writes and ' +
        'seconds, which also bounds what a failover without warning loses. Its price: reads at the level of the ' +
        'account cost twice the request units (Habitat sends all but critical reads at a cheaper level), and writes ' +
        'are held back when a region falls behind too far.'
      );
    case 'Strong':
      return (
        'Consistency is Strong: more than Habitat needs. A write is answered when all regions have it, so it takes ' +
        'as long as the farthest of them.'
      );
    default:
      return (
        `Consistency is ${level}; BoundedStaleness is expected. Habitat works: a read that decides a write goes to ` +
        'the region that takes writes, at any level. But nothing bounds how far other regions stay behind, and what ' +
        'a failover without warning loses. Change it with `az cosmosdb update --name <account> --resource-group ' +
        '<group> --default-consistency-level BoundedStaleness --max-staleness-prefix 100000 --max-interval 300`.'
      );
  }
}

function planThroughput(
  of: { readonly id: string; readonly found: ContainerState; readonly maxRu: number | null },
  into: { readonly changes: Change[]; readonly notes: string[] },
): void {
  const { id, found, maxRu } = of;
  if (maxRu === null) return;
  const { throughput } = found;
  if (throughput === null) {
    into.notes.push(`Container ${id} has no throughput of its own that could be set; --max-ru changes nothing there.`);
    return;
  }
  const { kind, ruPerSecond: fromRu, offerId } = throughput;
  if (kind === 'manual') {
    into.notes.push(
      `Container ${id} has ${fromRu} RU/s, set by hand. To let it scale: \`az cosmosdb sql container throughput migrate ` +
        `--account-name <account> --resource-group <group> --database-name ${DATABASE} --name ${id} ` +
        '--throughput-type autoscale`, then run this again.',
    );
    return;
  }
  if (fromRu !== maxRu) into.changes.push({ kind: 'scale', id, offerId, fromRu, toRu: maxRu });
}
