import type { Container } from '#gateway/emulator/catalog/container.ts';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import { partitionKeyFromHeader } from '#gateway/emulator/items/partition-key.ts';
import type { CosmosReply } from './cosmos-reply.ts';
import { bodyJson, type CosmosRequest, header, isTrue } from './cosmos-request.ts';
import { handleBatch } from './handle-batch.ts';
import { readChangeFeed } from './handle-feed.ts';
import { guardsOf, writeItem } from './handle-item.ts';
import { answerQuery, answerQueryPlan, listItems } from './handle-query.ts';

/** `/dbs/{d}/colls/{c}/docs`: create, upsert, batch, query, list and change feed, told apart by headers. */
export async function handleItems(
  endpoint: Endpoint,
  request: CosmosRequest,
  container: Container,
): Promise<CosmosReply> {
  if (request.method === 'GET') {
    return header(request, 'a-im') === undefined
      ? listItems(endpoint, request, container)
      : readChangeFeed(endpoint, request, container);
  }
  if (request.method !== 'POST')
    throw new CosmosError(405, `${request.method} is not supported on the items of a container.`);
  if (isTrue(request, 'x-ms-cosmos-is-query-plan-request')) return answerQueryPlan(container, request);
  if (isTrue(request, 'x-ms-documentdb-isquery') || isQueryBody(request))
    return answerQuery(endpoint, request, container);
  if (isTrue(request, 'x-ms-cosmos-is-batch-request')) return handleBatch(endpoint, request, container);
  return createItem(endpoint, request, container);
}

function createItem(endpoint: Endpoint, request: CosmosRequest, container: Container): Promise<CosmosReply> {
  const pkHeader = header(request, 'x-ms-documentdb-partitionkey');
  const kind = isTrue(request, 'x-ms-documentdb-is-upsert') ? 'upsert' : 'create';
  if (pkHeader === undefined) throw badRequest('PartitionKey value must be supplied for this operation.');
  return writeItem(endpoint, container, {
    pk: partitionKeyFromHeader(container, pkHeader),
    operation: { kind, document: bodyJson(request), guards: guardsOf(request) },
  });
}

const isQueryBody = (request: CosmosRequest): boolean =>
  header(request, 'content-type')?.startsWith('application/query+json') === true;
