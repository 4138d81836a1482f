import { type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { CosmosError } from '#gateway/emulator/errors.ts';
import { isWriting, operationOf } from '#gateway/emulator/faults/classify.ts';
import { type CosmosRequest, header } from './cosmos-request.ts';

const Header = z.object({ alg: z.literal('RS256') });
const Claims = z.object({ aud: z.string(), exp: z.number(), nbf: z.number().optional() });
const ANY_ACCOUNT = 'https://cosmos.azure.com';

interface EntraCheck {
  readonly key: KeyObject;
  readonly nowMs: number;
  /** Addresses of the account's regions. */
  readonly audiences: readonly string[];
}

/**
 * Checks a token of Entra ID: a JWT signed with RS256, for this account and not expired. It holds the rights of the
 * built-in role "Data Contributor": items and the reading of metadata. The service lets nobody make databases or
 * containers with such a token (403/5300), and neither does this. Refuses with 401 and 403.
 */
export function checkEntraToken(request: CosmosRequest, token: string, by: EntraCheck): void {
  const claims = readClaims(token, by.key);
  if (claims === null) throw refused('the token is not signed by the key that this endpoint was given.');
  const host = header(request, 'host') ?? '';
  if (![ANY_ACCOUNT, `http://${host}`, `https://${host}`, ...by.audiences].includes(claims.aud.replace(/\/$/, ''))) {
    throw refused(`the token is for ${claims.aud}.`);
  }
  const nowS = by.nowMs / 1_000;
  if (claims.exp <= nowS || (claims.nbf ?? 0) > nowS) throw refused('the token is not valid at the current time.');
  const operation = operationOf(request);
  const isOffer = request.segments[0] === 'offers';
  if (operation !== 'metadata' || (!isWriting(request, operation) && !isOffer)) return;
  const what = `[${request.method} /${request.segments.join('/')}]`;
  const message = `The given request ${what} cannot be authorized by AAD token in data plane.`;
  throw new CosmosError(403, message, { subStatus: 5300, charge: 0 });
}

function readClaims(token: string, key: KeyObject): z.infer<typeof Claims> | null {
  const [head = '', body = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !Header.safeParse(jsonOf(head)).success) return null;
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
  return isSigned ? (Claims.safeParse(jsonOf(body)).data ?? null) : null;
}

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}

const refused = (reason: string): CosmosError =>
  new CosmosError(401, `The input authorization token cannot serve the request: ${reason}`, { charge: 0 });
