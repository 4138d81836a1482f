import type { Container } from '#gateway/emulator/catalog/container.ts';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { CosmosError, notFound } from '#gateway/emulator/errors.ts';
import { currentLsn } from '#gateway/emulator/items/sequence.ts';
import { authenticate } from './authenticate.ts';
import { type CosmosReply, replyToError } from './cosmos-reply.ts';
import type { CosmosRequest } from './cosmos-request.ts';
import { readAccount } from './handle-account.ts';
import { handleContainer, handleContainers, handleDatabase, handleDatabases, handleRanges } from './handle-catalog.ts';
import { handleItem } from './handle-item.ts';
import { handleItems } from './handle-items.ts';
import { sessionHeaders } from './session.ts';

/** Answers one request. Throws `CosmosError` for every refusal. */
export async function route(endpoint: Endpoint, request: CosmosRequest): Promise<CosmosReply> {
  authenticate(request, endpoint.key, endpoint.nowMs());
  const [dbs, database, colls, container, leaf, item, ...rest] = request.segments;
  if (dbs === undefined) return readAccount(endpoint, request);
  if (dbs !== 'dbs' || rest.length > 0) throw unknownPath();
  if (database === undefined) return handleDatabases(endpoint, request);
  if (colls === undefined) return handleDatabase(endpoint, request, database);
  if (colls !== 'colls') throw unsupported(colls);
  if (container === undefined) return handleContainers(endpoint, request, database);
  const address = { database, container };
  if (leaf === undefined) return handleContainer(endpoint, request, address);
  if (leaf === 'pkranges' && item === undefined) return handleRanges(endpoint, request, address);
  if (leaf !== 'docs') throw unsupported(leaf);
  return routeItems(endpoint, request, { container: endpoint.catalog.container(database, container), item });
}

interface ItemsTarget {
  readonly container: Container;
  readonly item: string | undefined;
}

/** Refusals about items carry the session too: a client that meets a 409 has seen the range at that point. */
async function routeItems(endpoint: Endpoint, request: CosmosRequest, target: ItemsTarget): Promise<CosmosReply> {
  const { container, item: id } = target;
  try {
    return await (id === undefined
      ? handleItems(endpoint, request, container)
      : handleItem(endpoint, request, { container, id }));
  } catch (error) {
    if (!(error instanceof CosmosError)) throw error;
    const reply = replyToError(error);
    const lsn = currentLsn(endpoint.store, container);
    return { ...reply, headers: { ...sessionHeaders(container, lsn), ...reply.headers } };
  }
}

const unknownPath = (): CosmosError => notFound('The resource of this path');

const unsupported = (kind: string): CosmosError =>
  new CosmosError(405, `Resources of kind ${kind} are not supported by this endpoint.`);
