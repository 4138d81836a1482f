import 'server-only';
import { z } from 'zod';
import type { Reader } from '#server/db/client.ts';

const Row = z.tuple([z.object({ rolling: z.int().nullable(), live: z.int().nullable(), earlier: z.int().nullable() })]);

/**
 * What gateways served before a release: what its stages start from; else the newest earlier release that was live and was
 * not ended on its way out. Where none was ever live it is the one before. Null for the first.
 */
export async function readServedBefore(db: Reader, release: number): Promise<number | null> {
  const rows = await db.$queryRaw`
    SELECT (SELECT base_number FROM rollout WHERE release_number = ${release}) AS rolling,
           (SELECT max(r.number) FROM release r LEFT JOIN rollout o ON o.release_number = r.number AND o.state = 'ended'
            WHERE r.number < ${release} AND r.first_live_at IS NOT NULL AND o.release_number IS NULL) AS live,
           (SELECT max(number) FROM release WHERE number < ${release}) AS earlier`;
  const [{ rolling, live, earlier }] = Row.parse(rows);
  return rolling ?? live ?? earlier;
}
