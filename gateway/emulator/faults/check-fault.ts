import type { NewFault } from '#gateway/contract/local-cosmos.ts';

/** Why this combination could never do what it says; undefined when it can. */
export function faultProblem({ effect, operations, partition, percent, times }: NewFault): string | undefined {
  switch (effect.kind) {
    case 'refuse':
      return operations !== undefined || partition !== undefined || percent !== 100 || times !== undefined
        ? 'A region that refuses connections refuses all of them: leave out operations, partition, percent and times.'
        : undefined;
    case 'lag':
    case 'replicaLag':
      if (operations !== undefined) return 'A lag shows in all reads: leave out operations.';
      return effect.lagMs === 0 ? 'A lag of 0 ms is none.' : undefined;
    case 'batchStatus':
      return operations !== undefined && !operations.includes('batch')
        ? 'Only batches are rolled back: leave out operations or name batch.'
        : undefined;
    case 'keepExpired':
      return operations !== undefined && !operations.some((operation) => operation === 'write' || operation === 'batch')
        ? 'Expired items are in the way of writes and batches only: leave out operations or name one of them.'
        : undefined;
    default:
      return undefined;
  }
}
