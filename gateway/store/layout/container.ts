import { type ContainerDefinition, PartitionKeyDefinitionVersion } from '@azure/cosmos';

export const DATABASE = 'habitat';
export const CONTAINER = 'main';

/**
 * The one container of a placement. Only the sort string is indexed: every other look-up is by item id, and an index on
 * anything else would make each write dearer. `defaultTtl: -1` lets single items expire.
 */
export const CONTAINER_DEFINITION: ContainerDefinition = {
  id: CONTAINER,
  partitionKey: { paths: ['/pk'], version: PartitionKeyDefinitionVersion.V2 },
  defaultTtl: -1,
  indexingPolicy: {
    automatic: true,
    indexingMode: 'consistent',
    includedPaths: [{ path: '/s/?' }],
    excludedPaths: [{ path: '/*' }],
  },
};
