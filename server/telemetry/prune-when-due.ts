import 'server-only';
import type { Database } from '#server/db/client.ts';
import { pruneTelemetry } from './prune.ts';

const PRUNE_EVERY_MS = 3_600_000;
const SETTING = 'telemetry.prunedAtMs';

/**
 * Prunes when the last time is an hour ago, in one process of all: whoever moves the time forward does the work.
 * Called as shipments come in, since only they make rows. Answers whether it pruned.
 */
export async function pruneWhenDue(db: Database, nowMs: number): Promise<boolean> {
  await db.setting.createMany({ data: [{ key: SETTING, value: 0 }], skipDuplicates: true });
  const claimed = await db.$executeRaw`
    UPDATE setting SET value = to_jsonb(${nowMs}::float8)
    WHERE key = ${SETTING} AND (value #>> '{}')::float8 <= ${nowMs - PRUNE_EVERY_MS}`;
  if (claimed === 0) return false;
  await pruneTelemetry(db, nowMs);
  return true;
}
