import { type ContainerDefinition, PartitionKeyDefinitionVersion } from '@azure/cosmos';

export const DATABASE = 'habitat';
export const CONTAINER = 'main';
export const LEASES = 'leases';

/** What decides where an item lies, when it goes and how it is found. */
export type Layout = Required<Pick<ContainerDefinition, 'id' | 'partitionKey' | 'defaultTtl' | 'indexingPolicy'>>;

const partitionKey = { paths: ['/pk'], version: PartitionKeyDefinitionVersion.V2 };

/**
 * The one container of a placement. Only the sort string is indexed: every other look-up is by item id, and an index on
 * anything else would make each write dearer. `defaultTtl: -1` lets single items expire.
 */
export const CONTAINER_DEFINITION: Layout = {
  id: CONTAINER,
  partitionKey,
  defaultTtl: -1,
  indexingPolicy: {
    automatic: true,
    indexingMode: 'consistent',
    includedPaths: [{ path: '/s/?' }],
    excludedPaths: [{ path: '/*' }],
  },
};

/** Who works on which range of the change feed. Found by id alone, so nothing is indexed. */
export const LEASES_DEFINITION: Layout = {
  id: LEASES,
  partitionKey,
  defaultTtl: -1,
  indexingPolicy: {
    automatic: true,
    indexingMode: 'consistent',
    includedPaths: [],
    excludedPaths: [{ path: '/*' }],
  },
};
