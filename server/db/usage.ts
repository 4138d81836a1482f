import 'server-only';
import type { Reader } from './client.ts';

const DAY_MS = 86_400_000;

/** How much one principal used one type. */
export interface Usage {
  readonly principal: string;
  readonly tenant: string;
  readonly type: string;
  /** In the 24 hours before `nowMs`, to the minute. */
  readonly requests24h: number;
  /** Within the minute; over the time that use is kept (30 days). */
  readonly lastUsedMs: number;
}

/** Who used a type (object or edge type), busiest first, at most 200. */
export function usageOfType(db: Reader, type: string, nowMs: number): Promise<readonly Usage[]> {
  return db.$queryRaw<Usage[]>`
    SELECT principal, tenant, type,
           coalesce(sum(requests) FILTER (WHERE bucket_at >= ${new Date(nowMs - DAY_MS)}), 0)::int AS "requests24h",
           (extract(epoch FROM max(bucket_at)) * 1000)::float8 AS "lastUsedMs"
    FROM principal_use WHERE type = ${type}
    GROUP BY principal, tenant, type ORDER BY 4 DESC, 5 DESC, 1 LIMIT 200`;
}

/** When each of these types was last asked for, by name, over the time that use is kept; to the minute. */
export async function lastUseOf(db: Reader, types: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ type: string; lastUsedMs: number }[]>`
    SELECT t.type, (extract(epoch FROM u.bucket_at) * 1000)::float8 AS "lastUsedMs"
    FROM unnest(${[...types]}::text[]) AS t(type)
    CROSS JOIN LATERAL (
      SELECT bucket_at FROM principal_use WHERE type = t.type ORDER BY bucket_at DESC LIMIT 1
    ) AS u`;
  return new Map(rows.map(({ type, lastUsedMs }) => [type, lastUsedMs]));
}
