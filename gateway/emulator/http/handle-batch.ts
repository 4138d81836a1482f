import type { Container } from '#gateway/emulator/catalog/container.ts';
import { type Endpoint, nowSeconds } from '#gateway/emulator/endpoint.ts';
import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import { renderItem } from '#gateway/emulator/items/item-row.ts';
import { LIMITS } from '#gateway/emulator/items/limits.ts';
import {
  type Batch,
  type BatchItemResult,
  BatchRolledBack,
  parseBatch,
  runBatch,
} from '#gateway/emulator/items/run-batch.ts';
import { currentLsn, nextLsn } from '#gateway/emulator/items/sequence.ts';
import { type CosmosReply, reply } from './cosmos-reply.ts';
import { bodyJson, type CosmosRequest, header, isTrue } from './cosmos-request.ts';
import { current, requiredPartitionKey } from './handle-item.ts';
import { sessionHeaders } from './session.ts';

interface BatchOutcome {
  readonly status: 200 | 207;
  readonly results: readonly BatchItemResult[];
  readonly lsn: number;
}

/** An atomic batch on one partition: 200 with every result, or 207 with one refusal and 424 for all others. */
export async function handleBatch(
  endpoint: Endpoint,
  request: CosmosRequest,
  container: Container,
): Promise<CosmosReply> {
  if (!isTrue(request, 'x-ms-cosmos-batch-atomic')) throw badRequest('Only atomic batches are supported here.');
  if (request.body.length > LIMITS.batchBytes)
    throw new CosmosError(413, 'Request size is too large: a batch has at most 2 MB.');
  const pk = requiredPartitionKey(container, request);
  const batch = parseBatch(bodyJson(request));
  const { status, results, lsn } = await commitBatch(endpoint, container, { pk, batch });
  const minimal = header(request, 'prefer') === 'return=minimal';
  const body = results.map((result, at) => {
    const withBody = !minimal || batch[at]?.operationType === 'Read';
    return renderResult(container, result, withBody);
  });
  const chargeRu = Math.round(results.reduce((sum, result) => sum + result.chargeRu, 0) * 100) / 100;
  return reply(status, `[${body.join(',')}]`, { chargeRu, headers: sessionHeaders(container, lsn) });
}

async function commitBatch(
  endpoint: Endpoint,
  container: Container,
  { pk, batch }: { pk: string; batch: Batch },
): Promise<BatchOutcome> {
  const { store, commit } = endpoint;
  try {
    return await commit.submit(() => {
      let taken: number | undefined;
      const lsn = (): number => {
        taken ??= nextLsn(store, container);
        return taken;
      };
      const scope = {
        store,
        container: current(endpoint, container),
        pk,
        nowSeconds: nowSeconds(endpoint),
        lsn,
        keepsExpired: endpoint.keepsExpired,
      };
      return { status: 200 as const, results: runBatch(scope, batch), lsn: currentLsn(store, container) };
    });
  } catch (error) {
    if (!(error instanceof BatchRolledBack)) throw error;
    return { status: 207, results: error.results, lsn: currentLsn(store, container) };
  }
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
