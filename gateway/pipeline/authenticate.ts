import { type Denial, deny } from './denial.ts';
import type { Indexes, KeyEntry } from './indexes.ts';
import type { Incoming } from './request.ts';

const BEARER = /^Bearer (hk_([A-Za-z0-9]{12})_([A-Za-z0-9_-]{16,128}))$/i;
/** Tokens remembered per release; beyond it the memory starts afresh, since only live keys enter it. */
const MAX_REMEMBERED = 10_000;

export interface CredentialsPort {
  /** Whether the SHA-256 of `secret` is `sha256Hex`, compared in constant time. */
  matches(secret: string, sha256Hex: string): boolean;
  /** Charges an address for a bad credential: milliseconds to wait when it has spent its allowance, else null. */
  chargeBadCredential(address: string): number | null;
}

/**
 * Finds the live key behind `Authorization: Bearer hk_<id>_<secret>`.
 * Refuses with `unauthenticated`; with `quota_exceeded` when the address sent too many bad credentials. A good key is
 * never refused for what others sent from its address.
 */
export function authenticate(
  incoming: Incoming,
  indexes: Indexes,
  ports: { readonly credentials: CredentialsPort; readonly nowMs: number },
): KeyEntry | Denial {
  const found = findKey(incoming.authorization, indexes, ports.credentials);
  const refusal = typeof found === 'string' ? found : whyNotLive(found, ports.nowMs);
  if (refusal === null && typeof found !== 'string') return found;
  const waitMs = ports.credentials.chargeBadCredential(incoming.address);
  if (waitMs === null) return deny('unauthenticated', refusal ?? 'The key is unknown or revoked.');
  return deny('quota_exceeded', 'This address sent too many requests with bad credentials.', { retryAfterMs: waitMs });
}

/** The id of the key that a caller names, whether or not it is its key; null when none is named. */
export function namedKeyId(authorization: string | null): string | null {
  return authorization === null ? null : (BEARER.exec(authorization)?.[2] ?? null);
}

/** The key, or a sentence that says why there is none. */
function findKey(authorization: string | null, indexes: Indexes, credentials: CredentialsPort): KeyEntry | string {
  if (authorization === null) return 'The request has no key. Send Authorization: Bearer hk_….';
  const remembered = indexes.authenticated.get(authorization);
  if (remembered !== undefined) return remembered;
  const [, , id, secret] = BEARER.exec(authorization) ?? [];
  if (id === undefined || secret === undefined) return 'The Authorization header is not "Bearer hk_<id>_<secret>".';
  const key = indexes.keys.get(id);
  // One sentence for an unknown id and for a wrong secret, so that ids cannot be probed.
  if (key === undefined || !credentials.matches(secret, key.secretSha256)) return 'The key is unknown or revoked.';
  if (indexes.authenticated.size >= MAX_REMEMBERED) indexes.authenticated.clear();
  indexes.authenticated.set(authorization, key);
  return key;
}

function whyNotLive(key: KeyEntry, nowMs: number): string | null {
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return `The key ${key.id} expired.`;
  if (key.principal.disabled) return `The principal ${key.principal.name} is disabled.`;
  return null;
}
