import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { CosmosError } from '#gateway/emulator/errors.ts';
import { type Account, urlOf } from '#gateway/emulator/regions/region.ts';
import { checkEntraToken } from './check-entra-token.ts';
import { type CosmosRequest, header } from './cosmos-request.ts';

/** The key that Azure's emulator ships with; public, so the endpoint listens on this machine only. */
export const EMULATOR_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

const MAX_SKEW_MS = 15 * 60 * 1_000;

/** Checks who sent a request: by the master key, or, when the endpoint was given a key for them, by a token of Entra ID. */
export function authenticate(request: CosmosRequest, account: Pick<Account, 'endpoint' | 'regions'>): void {
  const { key, entraKey, nowMs } = account.endpoint;
  const given = authorizationOf(request);
  const token = entraKey === null ? undefined : /^type=aad&ver=1\.0&sig=(.+)$/.exec(given)?.[1];
  if (token === undefined || entraKey === null) checkMasterKey(request, given, { key, nowMs: nowMs() });
  else checkEntraToken(request, token, { key: entraKey, nowMs: nowMs(), audiences: account.regions.map(urlOf) });
}

function authorizationOf(request: CosmosRequest): string {
  const token = header(request, 'authorization');
  if (token === undefined) throw unauthorized('Required Header authorization is missing.');
  if (dateOf(request) === undefined) throw unauthorized('Either x-ms-date or date is required.');
  return decode(token);
}

/**
 * The master-key signature: HMAC-SHA256 over verb, resource type, resource link and date, one a line.
 * https://learn.microsoft.com/rest/api/cosmos-db/access-control-on-cosmosdb-resources. Refuses with 401.
 */
function checkMasterKey(request: CosmosRequest, token: string, by: { key: KeyObject; nowMs: number }): void {
  const date = dateOf(request) ?? '';
  const parts = /^type=master&ver=1\.0&sig=(.+)$/.exec(token);
  if (parts?.[1] === undefined) throw unauthorized('The authorization header is not a master-key signature.');
  const { type, link } = signedResource(request.segments);
  const text = `${request.method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
  const expected = createHmac('sha256', by.key).update(text).digest();
  const given = Buffer.from(parts[1], 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw unauthorized('The input authorization token cannot serve the request: the signature does not match.');
  }
  const sentMs = Date.parse(date);
  if (Number.isNaN(sentMs) || Math.abs(by.nowMs - sentMs) > MAX_SKEW_MS) {
    throw unauthorized(
      'The authorization token is not valid at the current time: the dates differ by over 15 minutes.',
    );
  }
}

function dateOf(request: CosmosRequest): string | undefined {
  return header(request, 'x-ms-date') ?? header(request, 'date');
}

/** `dbs/d/colls/c/docs` signs its parent `dbs/d/colls/c` with type `docs`; `.../docs/i` signs itself. */
function signedResource(segments: readonly string[]): { type: string; link: string } {
  const isFeed = segments.length % 2 === 1;
  const type = (isFeed ? segments.at(-1) : segments.at(-2)) ?? '';
  const link = (isFeed ? segments.slice(0, -1) : segments).join('/');
  return { type, link };
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return '';
  }
}

const unauthorized = (message: string): CosmosError => new CosmosError(401, message, { charge: 0 });
