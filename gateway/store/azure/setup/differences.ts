import type { ContainerDefinition, IndexingPolicy } from '@azure/cosmos';
import type { Layout } from '#gateway/store/layout/container.ts';

/** What of a container is not as it should be, each as `is, should be`; empty when all is. */
export interface Differences {
  /** Put right by replacing the definition. */
  readonly changeable: readonly string[];
  /** Fixed when a container is made. */
  readonly fixed: readonly string[];
}

export function differencesOf(found: ContainerDefinition, wanted: Layout): Differences {
  const fixed: string[] = [];
  const key = { is: keyText(found.partitionKey), should: keyText(wanted.partitionKey) };
  if (key.is !== key.should) fixed.push(`its partition key is ${key.is}, not ${key.should}`);
  const uniqueKeys = found.uniqueKeyPolicy?.uniqueKeys ?? [];
  if (uniqueKeys.length > 0) fixed.push('it has unique keys, which would refuse writes');
  const changeable: string[] = [];
  const ttl = { is: ttlText(found.defaultTtl), should: ttlText(wanted.defaultTtl) };
  if (ttl.is !== ttl.should) changeable.push(`expiry: ${ttl.is} → ${ttl.should}`);
  const index = { is: indexText(found.indexingPolicy), should: indexText(wanted.indexingPolicy) };
  if (index.is !== index.should) changeable.push(`index: ${index.is} → ${index.should}`);
  return { changeable, fixed };
}

export function keyText(key: ContainerDefinition['partitionKey']): string {
  if (key === undefined) return 'none';
  // A definition without a version is of the first.
  const version = key.version ?? 1;
  return `${key.paths.join(', ')} (${key.kind === 'MultiHash' ? 'hierarchical, ' : ''}version ${version})`;
}

export function ttlText(ttl: number | undefined): string {
  if (ttl === undefined) return 'off';
  return ttl === -1 ? 'on, item by item' : `every item after ${ttl} s`;
}

/** Everything that makes two policies different, in words; `/"_etag"/?` is excluded by the service itself. */
export function indexText(policy: IndexingPolicy | undefined): string {
  if (policy === undefined) return 'everything';
  if (policy.indexingMode?.toLowerCase() === 'none') return 'none';
  const included = pathsOf(policy.includedPaths);
  const excluded = pathsOf(policy.excludedPaths).filter((path) => path !== '/"_etag"/?');
  const more = [
    ...(policy.automatic === false ? ['only items that ask for it'] : []),
    ...((policy.compositeIndexes ?? []).length > 0 ? ['composite indexes'] : []),
    ...((policy.spatialIndexes ?? []).length > 0 ? ['spatial indexes'] : []),
    ...((policy.vectorIndexes ?? []).length > 0 ? ['vector indexes'] : []),
    ...((policy.fullTextIndexes ?? []).length > 0 ? ['full-text indexes'] : []),
  ];
  const paths = `${included.join(' ') || 'nothing'} without ${excluded.join(' ') || 'exception'}`;
  return [paths, ...more].join(', ');
}

function pathsOf(paths: IndexingPolicy['includedPaths']): string[] {
  return (paths ?? []).map(({ path }) => path).sort();
}
