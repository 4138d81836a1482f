import type { OperationScope } from './apply-operation.ts';
import { LIMITS } from './limits.ts';
import { partitionGrowth } from './partition-size.ts';
import { nextLsn } from './sequence.ts';

/** One request to one partition, before it runs. */
export type RequestOptions = Pick<OperationScope, 'store' | 'container' | 'pk' | 'nowSeconds' | 'keepsExpired'> & {
  /** Bytes that the partition may hold; the limit of the service when absent. */
  readonly partitionBytes?: number | undefined;
};

export type RequestScope = Omit<OperationScope, 'operation'>;

/** Runs the operations of a request: one sequence number for all of them, and one account of what the partition grew. */
export function runInPartition<T>(options: RequestOptions, run: (scope: RequestScope) => T): T {
  const { store, container, pk, partitionBytes: limitBytes = LIMITS.partitionBytes } = options;
  const growth = partitionGrowth(store, container, { pk, limitBytes });
  let taken: number | undefined;
  const lsn = (): number => {
    taken ??= nextLsn(store, container);
    return taken;
  };
  const result = run({ ...options, lsn, growth });
  growth.save();
  return result;
}
