import type { Container } from '#gateway/emulator/catalog/container.ts';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { CosmosError } from '#gateway/emulator/errors.ts';
import { renderItem } from '#gateway/emulator/items/item-row.ts';
import { LIMITS } from '#gateway/emulator/items/limits.ts';
import { runInPartition } from '#gateway/emulator/items/request-scope.ts';
import {
  type Batch,
  type BatchItemResult,
  BatchRolledBack,
  parseBatch,
  runBatch,
} from '#gateway/emulator/items/run-batch.ts';
import { runBulk } from '#gateway/emulator/items/run-bulk.ts';
import { currentLsn } from '#gateway/emulator/items/sequence.ts';
import { type CosmosReply, reply } from './cosmos-reply.ts';
import { bodyJson, type CosmosRequest, header, isTrue } from './cosmos-request.ts';
import { requestOf, requiredPartitionKey } from './handle-item.ts';
import { checkRange } from './handle-query.ts';
import { sessionHeaders } from './session.ts';

interface BatchOutcome {
  readonly status: 200 | 207;
  readonly results: readonly BatchItemResult[];
  readonly lsn: number;
}

/**
 * An atomic batch on one partition: 200 with every result, or 207 with one refusal and 424 for all others. When the
 * client asks for a bulk instead, each operation stands for itself: 200, or 207 when one is refused.
 */
export async function handleBatch(
  endpoint: Endpoint,
  request: CosmosRequest,
  container: Container,
): Promise<CosmosReply> {
  if (request.body.length > LIMITS.batchBytes)
    throw new CosmosError(413, 'Request size is too large: a batch has at most 2 MB.');
  const isAtomic = isTrue(request, 'x-ms-cosmos-batch-atomic');
  const pk = isAtomic ? requiredPartitionKey(container, request) : undefined;
  if (pk === undefined) checkRange(request);
  const batch = parseBatch(bodyJson(request));
  const outcome =
    pk === undefined
      ? await commitBulk(endpoint, container, { batch, continueOnError: isTrue(request, CONTINUE_ON_ERROR) })
      : await commitBatch(endpoint, container, { pk, batch });
  const minimal = header(request, 'prefer') === 'return=minimal';
  const body = outcome.results.map((result, at) => {
    const withBody = !minimal || batch[at]?.operationType === 'Read';
    return renderResult(container, result, withBody);
  });
  const chargeRu = Math.round(outcome.results.reduce((sum, result) => sum + result.chargeRu, 0) * 100) / 100;
  return reply(outcome.status, `[${body.join(',')}]`, { chargeRu, headers: sessionHeaders(container, outcome.lsn) });
}

const CONTINUE_ON_ERROR = 'x-ms-cosmos-batch-continue-on-error';

async function commitBatch(
  endpoint: Endpoint,
  container: Container,
  { pk, batch }: { pk: string; batch: Batch },
): Promise<BatchOutcome> {
  const { store, commit } = endpoint;
  try {
    return await commit.submit(() => ({
      status: 200,
      results: runInPartition(requestOf(endpoint, container, pk), (scope) => runBatch(scope, batch)),
      lsn: currentLsn(store, container),
    }));
  } catch (error) {
    if (!(error instanceof BatchRolledBack)) throw error;
    return { status: 207, results: error.results, lsn: currentLsn(store, container) };
  }
}

function commitBulk(
  endpoint: Endpoint,
  container: Container,
  { batch, continueOnError }: { batch: Batch; continueOnError: boolean },
): Promise<BatchOutcome> {
  return endpoint.commit.submit(() => {
    const results = runBulk(requestOf(endpoint, container, ''), batch, continueOnError);
    const isWhole = results.every(({ status }) => status < 400);
    return { status: isWhole ? 200 : 207, results, lsn: currentLsn(endpoint.store, container) };
  });
}

function renderResult(container: Container, result: BatchItemResult, withBody: boolean): string {
  const { status, chargeRu, row, subStatus, message } = result;
  const head = {
    statusCode: status,
    requestCharge: chargeRu,
    ...(subStatus === undefined ? {} : { subStatusCode: subStatus }),
    ...(message === undefined ? {} : { message }),
    ...(row === undefined ? {} : { eTag: row.etag }),
  };
  const text = JSON.stringify(head);
  if (row === undefined || !withBody || status === 304) return text;
  return `${text.slice(0, -1)},"resourceBody":${renderItem(container, row)}}`;
}
