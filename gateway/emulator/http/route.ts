import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { CosmosError, notFound } from '#gateway/emulator/errors.ts';
import { authenticate } from './authenticate.ts';
import type { CosmosReply } from './cosmos-reply.ts';
import type { CosmosRequest } from './cosmos-request.ts';
import { readAccount } from './handle-account.ts';
import { handleContainer, handleContainers, handleDatabase, handleDatabases, handleRanges } from './handle-catalog.ts';
import { handleItem } from './handle-item.ts';
import { handleItems } from './handle-items.ts';

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
  const found = endpoint.catalog.container(database, container);
  return item === undefined
    ? handleItems(endpoint, request, found)
    : handleItem(endpoint, request, { container: found, id: item });
}

const unknownPath = (): CosmosError => notFound('The resource of this path');

const unsupported = (kind: string): CosmosError =>
  new CosmosError(405, `Resources of kind ${kind} are not supported by this endpoint.`);
