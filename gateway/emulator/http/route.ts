import type { FaultOperation } from '#gateway/contract/local-cosmos.ts';
import type { Container } from '#gateway/emulator/catalog/container.ts';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { CosmosError, notFound, RATE_IS_LARGE, THROTTLED_RU } from '#gateway/emulator/errors.ts';
import { isWriting, operationOf } from '#gateway/emulator/faults/classify.ts';
import type { FaultSubject } from '#gateway/emulator/faults/fault-book.ts';
import { currentLsn } from '#gateway/emulator/items/sequence.ts';
import { type Region, takesWrites } from '#gateway/emulator/regions/region.ts';
import { viewForRead, viewForWrite } from '#gateway/emulator/regions/view-of.ts';
import { authenticate } from './authenticate.ts';
import { type CosmosReply, replyToError } from './cosmos-reply.ts';
import { type CosmosRequest, partitionOf } from './cosmos-request.ts';
import { readAccount } from './handle-account.ts';
import {
  handleContainer,
  handleContainers,
  handleDatabase,
  handleDatabases,
  handleOffers,
  handleRanges,
} from './handle-catalog.ts';
import { handleItem } from './handle-item.ts';
import { handleItems } from './handle-items.ts';
import { sessionHeaders } from './session.ts';

/** Answers one request. Throws `CosmosError` for every refusal. */
export async function route(region: Region, request: CosmosRequest): Promise<CosmosReply> {
  const { account } = region;
  authenticate(request, account);
  const operation = operationOf(request);
  if (!takesWrites(region) && isWriting(request, operation)) {
    throw new CosmosError(403, 'The requested operation cannot be performed at this region.', { subStatus: 3 });
  }
  return operation === 'metadata' ? routeMetadata(region, request) : routeItems(region, request, operation);
}

/** A request as the faults look at it. */
export function subjectOf(region: Region, request: CosmosRequest, operation = operationOf(request)): FaultSubject {
  const partition = (): string | undefined => partitionOf(request);
  return { account: region.account.name, region: region.name, operation, partition };
}

/** The account and its catalogue are the same in all regions, however far behind their items are. */
function routeMetadata(region: Region, request: CosmosRequest): CosmosReply | Promise<CosmosReply> {
  const { endpoint } = region.account;
  const [dbs, database, colls, container, leaf, ...rest] = request.segments;
  if (dbs === undefined) return readAccount(region, request);
  if (dbs === 'offers' && database === undefined) return handleOffers(request);
  if (dbs !== 'dbs' || rest.length > 0) throw notFound('The resource of this path');
  if (database === undefined) return handleDatabases(endpoint, request);
  if (colls === undefined) return handleDatabase(endpoint, request, database);
  if (colls !== 'colls') throw unsupported(colls);
  if (container === undefined) return handleContainers(endpoint, request, database);
  const address = { database, container };
  if (leaf === undefined) return handleContainer(endpoint, request, address);
  if (leaf === 'pkranges') return handleRanges(endpoint, request, address);
  throw unsupported(leaf);
}

/** Refusals about items carry the session too: a client that meets a 409 has seen the range at that point. */
async function routeItems(region: Region, request: CosmosRequest, operation: FaultOperation): Promise<CosmosReply> {
  const [dbs, database = '', colls, name = '', , id, ...rest] = request.segments;
  if (dbs !== 'dbs' || colls !== 'colls' || rest.length > 0) throw notFound('The resource of this path');
  const endpoint = viewOf(region, request, operation);
  const container = containerIn(endpoint, region.account.endpoint, { database, name });
  const bucket = bucketOf(region, request, container);
  try {
    if (bucket !== undefined) refuseOverBudget(region, bucket);
    const reply = await (id === undefined
      ? handleItems(endpoint, request, container)
      : handleItem(endpoint, request, { container, id }));
    if (bucket !== undefined) region.budget.charge(bucket, reply.chargeRu);
    return reply;
  } catch (error) {
    if (!(error instanceof CosmosError)) throw error;
    // What is refused for its price is not charged: a storm of refusals would keep the partition closed.
    if (bucket !== undefined && error.status !== 429) region.budget.charge(bucket, error.charge);
    const refusal = replyToError(error);
    const lsn = currentLsn(endpoint.store, container);
    return { ...refusal, headers: { ...sessionHeaders(container, lsn), ...refusal.headers } };
  }
}

function viewOf(region: Region, request: CosmosRequest, operation: FaultOperation): Endpoint {
  const { account } = region;
  if (account.faults.isEmpty()) return account.endpoint;
  const subject = subjectOf(region, request, operation);
  return isWriting(request, operation) ? viewForWrite(region, subject) : viewForRead(region, request, subject);
}

/** A container that a lagging region has not heard of yet is 404/1013, as in the service, not 404/1003. */
function containerIn(seen: Endpoint, latest: Endpoint, { database, name }: { database: string; name: string }) {
  try {
    return seen.catalog.container(database, name);
  } catch (error) {
    if (seen.store === latest.store) throw error;
    latest.catalog.container(database, name);
    throw new CosmosError(404, 'Collection is not yet available for read.', { subStatus: 1013 });
  }
}

/** The logical partition whose budget pays; undefined when there is no limit or no single partition. */
function bucketOf(region: Region, request: CosmosRequest, container: Container): string | undefined {
  if (region.account.partitionRuPerSecond === null) return undefined;
  const partition = partitionOf(request);
  return partition === undefined ? undefined : `${container.num} ${partition}`;
}

function refuseOverBudget(region: Region, bucket: string): void {
  const { account, budget } = region;
  if (account.partitionRuPerSecond === null) return;
  const retryAfterMs = budget.waitMs(bucket, account.partitionRuPerSecond, account.endpoint.nowMs());
  if (retryAfterMs === 0) return;
  region.throttled += 1;
  throw new CosmosError(429, RATE_IS_LARGE, { subStatus: 3200, retryAfterMs, charge: THROTTLED_RU });
}

const unsupported = (kind: string): CosmosError =>
  new CosmosError(405, `Resources of kind ${kind} are not supported by this endpoint.`);
