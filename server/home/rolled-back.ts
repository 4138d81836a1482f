import 'server-only';
import { z } from 'zod';
import { RollbackOf } from '#server/contract/rollouts.ts';
import type { StandingRollback } from '#server/contract/shell.ts';
import type { Reader } from '#server/db/client.ts';

/** More are told once the person has read these. */
const TOLD_AT_ONCE = 5;

const Row = z.object({
  number: z.int(),
  rollback: RollbackOf,
  by_id: z.string(),
  by_name: z.string(),
  reason: z.string(),
  created_at: z.date(),
  holds: z.int(),
  names: z.array(z.string()),
});

/**
 * The rollbacks that everybody works on now, newest first, without those that this person has read: not undone
 * themselves, and with a definition that nobody has changed since. Another release does not end one.
 */
export async function readRolledBack(db: Reader, userId: string): Promise<StandingRollback[]> {
  const rows = await db.$queryRaw`
    SELECT r."number", r."rollback", r."by_id", r."by_name", r."reason", r."created_at",
           count(*)::int AS "holds", (array_agg(d."name" ORDER BY d."kind", d."name"))[1:3] AS "names"
    FROM "release" r
    JOIN "definition_revision" v ON v."release_number" = r."number"
    JOIN "definition" d ON d."kind" = v."kind" AND d."name" = v."name" AND d."release_number" = r."number"
    WHERE r."rollback" IS NOT NULL AND r."undone_by" IS NULL
      AND NOT EXISTS (SELECT FROM "rollback_read" s WHERE s."release_number" = r."number" AND s."user_id" = ${userId})
    GROUP BY r."number"
    ORDER BY r."epoch" DESC, r."number" DESC
    LIMIT ${TOLD_AT_ONCE}`;
  return z
    .array(Row)
    .parse(rows)
    .map(({ number, rollback, by_id, by_name, reason, created_at, holds, names }) => ({
      release: number,
      of: rollback,
      by: { id: by_id, name: by_name },
      reason,
      sinceMs: created_at.getTime(),
      holds: { count: holds, names },
    }));
}
