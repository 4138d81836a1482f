import { renderContainer, renderDatabase, renderRanges } from '#gateway/emulator/catalog/render.ts';
import { type Endpoint, nowSeconds } from '#gateway/emulator/endpoint.ts';
import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import { currentLsn } from '#gateway/emulator/items/sequence.ts';
import { isJsonObject, type JsonObject } from '#gateway/emulator/json.ts';
import { databaseRid } from '#gateway/emulator/resource-ids.ts';
import { type CosmosReply, reply } from './cosmos-reply.ts';
import { bodyJson, type CosmosRequest, header, isTrue } from './cosmos-request.ts';

export interface ContainerAddress {
  readonly database: string;
  readonly container: string;
}

/** `/dbs`: list and create. */
export async function handleDatabases(endpoint: Endpoint, request: CosmosRequest): Promise<CosmosReply> {
  const { catalog } = endpoint;
  if (request.method === 'GET') return list('Databases', '', catalog.listDatabases().map(renderDatabase));
  refuseQuery(request);
  const body = bodyJson(request);
  const id = isJsonObject(body) ? body.id : undefined;
  const row = await change(endpoint, () => catalog.createDatabase(id, nowSeconds(endpoint)));
  return resource(201, renderDatabase(row));
}

/** `/dbs/{d}`: read and delete. */
export async function handleDatabase(endpoint: Endpoint, request: CosmosRequest, id: string): Promise<CosmosReply> {
  if (request.method === 'GET') return resource(200, renderDatabase(endpoint.catalog.database(id)));
  requireMethod(request, 'DELETE');
  await change(endpoint, () => endpoint.catalog.deleteDatabase(id));
  return reply(204, '', { chargeRu: 4.95 });
}

/** `/dbs/{d}/colls`: list and create. */
export async function handleContainers(endpoint: Endpoint, request: CosmosRequest, id: string): Promise<CosmosReply> {
  const { catalog } = endpoint;
  if (request.method === 'GET') {
    const rid = databaseRid(catalog.database(id).num);
    return list('DocumentCollections', rid, catalog.listContainers(id).map(renderContainer));
  }
  refuseQuery(request);
  const body = bodyJson(request);
  const container = await change(endpoint, () => catalog.createContainer(id, body, nowSeconds(endpoint)));
  return resource(201, renderContainer(container));
}

/** `/dbs/{d}/colls/{c}`: read, replace and delete. */
export async function handleContainer(
  endpoint: Endpoint,
  request: CosmosRequest,
  { database, container: id }: ContainerAddress,
): Promise<CosmosReply> {
  const { catalog } = endpoint;
  if (request.method === 'GET') return resource(200, renderContainer(catalog.container(database, id)));
  if (request.method === 'PUT') {
    const body = bodyJson(request);
    const replace = () => catalog.replaceContainer(database, id, { body, tsSeconds: nowSeconds(endpoint) });
    return resource(200, renderContainer(await change(endpoint, replace)));
  }
  requireMethod(request, 'DELETE');
  await change(endpoint, () => catalog.deleteContainer(database, id));
  return reply(204, '', { chargeRu: 4.95 });
}

/** `/dbs/{d}/colls/{c}/pkranges`: how clients learn the partition key ranges. */
export function handleRanges(
  endpoint: Endpoint,
  request: CosmosRequest,
  { database, container: id }: ContainerAddress,
): CosmosReply {
  requireMethod(request, 'GET');
  const container = endpoint.catalog.container(database, id);
  const etag = `"${container.num}"`;
  if (header(request, 'if-none-match') === etag) return reply(304, '', { headers: { etag } });
  const ranges = renderRanges(container, currentLsn(endpoint.store, container));
  const page = list('PartitionKeyRanges', container.rid, ranges);
  return { ...page, headers: { ...page.headers, etag } };
}

/** `/offers`: no container has throughput of its own here, as in a serverless account. */
export function handleOffers(request: CosmosRequest): CosmosReply {
  if (request.method !== 'GET') requireMethod(request, 'POST');
  return list('Offers', '', []);
}

/** Writes through the group commit; what others looked up meanwhile may have been rolled back with it. */
async function change<T>(endpoint: Endpoint, run: () => T): Promise<T> {
  try {
    return await endpoint.commit.submit(run);
  } finally {
    endpoint.catalog.forget();
  }
}

function list(name: string, rid: string, resources: readonly JsonObject[]): CosmosReply {
  return reply(200, JSON.stringify({ _rid: rid, [name]: resources, _count: resources.length }), {
    chargeRu: 2,
    headers: { 'x-ms-item-count': String(resources.length) },
  });
}

function resource(status: number, body: JsonObject): CosmosReply {
  return reply(status, JSON.stringify(body), {
    chargeRu: status === 201 ? 4.95 : 2,
    headers: { etag: String(body._etag) },
  });
}

function requireMethod(request: CosmosRequest, method: string): void {
  if (request.method !== method)
    throw new CosmosError(405, `${request.method} is not supported on this resource here.`);
}

function refuseQuery(request: CosmosRequest): void {
  requireMethod(request, 'POST');
  if (isTrue(request, 'x-ms-documentdb-isquery'))
    throw badRequest('Databases and containers are listed, not queried, here.');
}
