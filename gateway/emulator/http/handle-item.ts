import type { Container } from '#gateway/emulator/catalog/container.ts';
import { type Endpoint, nowSeconds } from '#gateway/emulator/endpoint.ts';
import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import {
  applyOperation,
  type Guards,
  type ItemOperation,
  type OperationResult,
} from '#gateway/emulator/items/apply-operation.ts';
import { renderItem } from '#gateway/emulator/items/item-row.ts';
import { partitionKeyFromHeader } from '#gateway/emulator/items/partition-key.ts';
import { parsePatch } from '#gateway/emulator/items/patch.ts';
import { type RequestOptions, runInPartition } from '#gateway/emulator/items/request-scope.ts';
import { currentLsn } from '#gateway/emulator/items/sequence.ts';
import { type CosmosReply, reply } from './cosmos-reply.ts';
import { bodyJson, type CosmosRequest, header } from './cosmos-request.ts';
import { checkConsistency, sessionHeaders } from './session.ts';

/** `/dbs/{d}/colls/{c}/docs/{id}`: read, replace, delete, patch; always in the one partition of the header. */
export async function handleItem(
  endpoint: Endpoint,
  request: CosmosRequest,
  { container, id }: { container: Container; id: string },
): Promise<CosmosReply> {
  const operation = operationOf(request, id);
  const pk = requiredPartitionKey(container, request);
  if (operation.kind !== 'read') return writeItem(endpoint, container, { pk, operation });
  checkConsistency(endpoint, container, request);
  const result = runOperation(requestIn(endpoint, container, pk), operation);
  return itemReply(container, result, currentLsn(endpoint.store, container));
}

/** Runs one writing operation through the group commit. */
export async function writeItem(
  endpoint: Endpoint,
  container: Container,
  { pk, operation }: { pk: string; operation: ItemOperation },
): Promise<CosmosReply> {
  const { result, lsn } = await endpoint.commit.submit(() => ({
    result: runOperation(requestOf(endpoint, container, pk), operation),
    lsn: currentLsn(endpoint.store, container),
  }));
  return itemReply(container, result, lsn);
}

/** A request as it runs in its group: the container may have been replaced or dropped while it waited. */
export function requestOf(endpoint: Endpoint, container: Container, pk: string): RequestOptions {
  const found = endpoint.catalog.container(container.databaseId, container.id);
  if (found.num !== container.num) throw new CosmosError(410, 'The container was created anew.', { subStatus: 1000 });
  return requestIn(endpoint, found, pk);
}

export function guardsOf(request: CosmosRequest): Guards {
  return { ifMatch: header(request, 'if-match'), ifNoneMatch: header(request, 'if-none-match') };
}

export function requiredPartitionKey(container: Container, request: CosmosRequest): string {
  const text = header(request, 'x-ms-documentdb-partitionkey');
  if (text === undefined) throw badRequest('PartitionKey value must be supplied for this operation.');
  return partitionKeyFromHeader(container, text);
}

function requestIn(endpoint: Endpoint, container: Container, pk: string): RequestOptions {
  const { store, keepsExpired, partitionBytes } = endpoint;
  return { store, container, pk, nowSeconds: nowSeconds(endpoint), keepsExpired, partitionBytes };
}

const runOperation = (request: RequestOptions, operation: ItemOperation): OperationResult =>
  runInPartition(request, (scope) => applyOperation({ ...scope, operation: 0 }, operation));

function operationOf(request: CosmosRequest, id: string): ItemOperation {
  const guards = guardsOf(request);
  switch (request.method) {
    case 'GET':
      return { kind: 'read', id, guards };
    case 'DELETE':
      return { kind: 'delete', id, guards };
    case 'PUT':
      return { kind: 'replace', id, document: bodyJson(request), guards };
    case 'PATCH':
      return { kind: 'patch', id, patch: parsePatch(bodyJson(request)), guards };
    default:
      throw new CosmosError(405, `${request.method} is not supported on an item.`);
  }
}

function itemReply(container: Container, { status, chargeRu, row }: OperationResult, lsn: number): CosmosReply {
  const session = sessionHeaders(container, lsn);
  if (row === undefined) return reply(status, '', { chargeRu, headers: session });
  return reply(status, renderItem(container, row), { chargeRu, headers: { ...session, etag: row.etag } });
}
