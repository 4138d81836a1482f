import type { FaultOperation } from '#gateway/contract/local-cosmos.ts';
import { type CosmosRequest, header, isTrue } from '#gateway/emulator/http/cosmos-request.ts';

/** What a request does, in the words of the admin API. */
export function operationOf(request: CosmosRequest): FaultOperation {
  const { method, segments } = request;
  if (segments[4] !== 'docs') return 'metadata';
  if (segments.length > 5) return method === 'GET' ? 'read' : 'write';
  if (method === 'GET') return header(request, 'a-im') === undefined ? 'query' : 'feed';
  if (isQuery(request)) return 'query';
  return isTrue(request, 'x-ms-cosmos-is-batch-request') ? 'batch' : 'write';
}

/** Whether only the region that takes the writes may carry it out. A batch of reads alone is still a batch. */
export function isWriting(request: CosmosRequest, operation: FaultOperation): boolean {
  if (operation === 'metadata') return request.method !== 'GET' && !isQuery(request);
  return operation === 'write' || operation === 'batch';
}

const isQuery = (request: CosmosRequest): boolean =>
  isTrue(request, 'x-ms-documentdb-isquery') ||
  isTrue(request, 'x-ms-cosmos-is-query-plan-request') ||
  header(request, 'content-type')?.startsWith('application/query+json') === true;
