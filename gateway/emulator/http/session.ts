import { CONSISTENCY_LEVELS } from '#gateway/contract/local-cosmos.ts';
import { type Container, RANGE_ID } from '#gateway/emulator/catalog/container.ts';
import type { Endpoint } from '#gateway/emulator/endpoint.ts';
import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import { currentLsn } from '#gateway/emulator/items/sequence.ts';
import { type CosmosRequest, header } from './cosmos-request.ts';

/** Headers that tell a client how far the range it spoke to has come. */
export function sessionHeaders(container: Container, lsn: number): Readonly<Record<string, string>> {
  return {
    'x-ms-session-token': `${RANGE_ID}:0#${lsn}`,
    lsn: String(lsn),
    'x-ms-content-path': container.rid,
    'x-ms-alt-content-path': `dbs/${container.databaseId}/colls/${container.id}`,
  };
}

/** Refuses a read that names a session this range has not reached (404/1002), or a consistency above the account's. */
export function checkConsistency(endpoint: Endpoint, container: Container, request: CosmosRequest): void {
  const level = header(request, 'x-ms-consistency-level');
  if (level !== undefined) checkLevel(endpoint, level);
  const token = header(request, 'x-ms-session-token');
  if (token === undefined || token === '') return;
  const wanted = wantedLsn(token);
  if (wanted === undefined) throw badRequest('The session token is malformed.');
  if (wanted <= currentLsn(endpoint.store, container)) return;
  throw new CosmosError(404, 'The read session is not available for the input session token.', { subStatus: 1002 });
}

function checkLevel(endpoint: Endpoint, level: string): void {
  const asked = (CONSISTENCY_LEVELS as readonly string[]).indexOf(level);
  if (asked < 0) throw badRequest(`The consistency level ${level} is not known.`);
  if (asked < CONSISTENCY_LEVELS.indexOf(endpoint.consistency)) {
    throw badRequest(`The consistency level ${level} is stronger than the account's, ${endpoint.consistency}.`);
  }
}

/** `0:version#lsn#region=lsn,...`: the global number of our range; 0 when the token names other ranges only. */
function wantedLsn(token: string): number | undefined {
  let wanted = 0;
  for (const part of token.split(',')) {
    const match = /^(?:([^:]+):)?-?\d+#(\d+)(?:#.*)?$/.exec(part.trim());
    if (match === null) return undefined;
    if (match[1] === undefined || match[1] === RANGE_ID) wanted = Math.max(wanted, Number(match[2]));
  }
  return wanted;
}
