import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import { isJsonObject } from '#gateway/emulator/json.ts';
import { applyOperation } from './apply-operation.ts';
import { partitionKeyFromHeader, partitionKeyOf } from './partition-key.ts';
import { type RequestOptions, runInPartition } from './request-scope.ts';
import { type Batch, type BatchItemResult, DEPENDENT, refusal, toOperation } from './run-batch.ts';

/**
 * Runs operations of many partitions, each for itself: one that is refused takes back only its own writes. Without
 * `continueOnError` those after the first refusal are told 424 and do not run.
 */
export function runBulk(
  options: Omit<RequestOptions, 'pk'>,
  bulk: Batch,
  continueOnError: boolean,
): readonly BatchItemResult[] {
  let isStopped = false;
  return bulk.map((entry) => {
    if (isStopped) return DEPENDENT;
    const result = runSaved(options, entry);
    isStopped = !continueOnError && result.status >= 400;
    return result;
  });
}

function runSaved(options: Omit<RequestOptions, 'pk'>, entry: Batch[number]): BatchItemResult {
  const { db } = options.store;
  db.exec('SAVEPOINT operation');
  try {
    const pk = partitionKeyIn(options, entry);
    return runInPartition({ ...options, pk }, (scope) =>
      applyOperation({ ...scope, operation: 0 }, toOperation(entry)),
    );
  } catch (error) {
    db.exec('ROLLBACK TO operation');
    if (!(error instanceof CosmosError)) throw error;
    return refusal(error);
  } finally {
    db.exec('RELEASE operation');
  }
}

function partitionKeyIn({ container }: Omit<RequestOptions, 'pk'>, entry: Batch[number]): string {
  if (entry.partitionKey !== undefined) return partitionKeyFromHeader(container, entry.partitionKey);
  if (isJsonObject(entry.resourceBody) && entry.operationType !== 'Patch') {
    return partitionKeyOf(container, entry.resourceBody);
  }
  throw badRequest('PartitionKey value must be supplied for this operation.');
}
