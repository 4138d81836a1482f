import 'server-only';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';
import type { ListedRequest, NamedKey } from '#server/contract/requests.ts';
import type { Reader } from '#server/db/client.ts';

/** Lays to each request that was let in by no key the key which it named, revoked and expired ones too. One query. */
export async function withNamedKeys(db: Reader, records: readonly RequestRecord[]): Promise<ListedRequest[]> {
  const ids = new Set(records.map(namedId).filter((id) => id !== null));
  const keys = ids.size === 0 ? [] : await db.principalKey.findMany({ where: { id: { in: [...ids] } } });
  const named = new Map<string | null, NamedKey>(
    keys.map(({ id, principal, revokedAt, expiresAt }) => [
      id,
      { id, principal, revokedAtMs: revokedAt?.getTime() ?? null, expiresAtMs: expiresAt?.getTime() ?? null },
    ]),
  );
  return records.map((record) => ({ ...record, namedKey: named.get(namedId(record)) ?? null }));
}

function namedId({ principal, keyId }: RequestRecord): string | null {
  return principal === null ? keyId : null;
}
