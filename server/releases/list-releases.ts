import 'server-only';
import type { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import type { ReleasePage, ReleaseQuery } from '#server/contract/releases.ts';
import { pageOf, readCursor, type TimeCursor } from '#server/db/time-cursor.ts';
import { readReleaseStandings } from '#server/publication/release-standing.ts';
import { releaseColumns, rowOf } from './release-row.ts';

const COUNT_UP_TO = 10_000;

/** GET /api/releases: newest first, readable by everybody signed in. */
export async function listReleases(
  ctx: Ctx,
  input: z.infer<typeof ReleaseQuery>,
): Promise<z.infer<typeof ReleasePage>> {
  const cursor = readCursor(input.cursor);
  const isNewer = cursor?.way === 'newer';
  const wanted = wantedBy(input.q);
  const [rows, standings, total] = await Promise.all([
    ctx.db.release.findMany({
      where: { AND: [wanted, placeOf(cursor)] },
      orderBy: { number: isNewer ? 'asc' : 'desc' },
      take: input.limit + 1,
      select: releaseColumns,
    }),
    readReleaseStandings(ctx.db, ctx.nowMs),
    ctx.db.release.count({ where: wanted }),
  ]);
  const placed = rows.map((row) => ({ atMs: row.createdAt.getTime(), id: String(row.number), row }));
  const { items, ...cursors } = pageOf(placed, cursor, input.limit);
  return {
    items: items.map(({ row }) => rowOf(row, standings, ctx.nowMs)),
    ...cursors,
    total: total > COUNT_UP_TO ? null : total,
  };
}

const NUMBER = /^r?(\d{1,9})$/i;

function wantedBy(q: string | undefined) {
  const words = q?.split(/\s+/).filter((word) => word !== '') ?? [];
  return {
    AND: words.map((word) => {
      const contains = { contains: word, mode: 'insensitive' as const };
      const number = NUMBER.exec(word)?.[1];
      return {
        OR: [
          { cause: contains },
          { byName: contains },
          { approvedByName: contains },
          ...(number === undefined ? [] : [{ number: Number(number) }]),
        ],
      };
    }),
  };
}

/** Numbers grow with time, so the number alone is the place. */
function placeOf(cursor: TimeCursor | null) {
  if (cursor === null) return {};
  const number = Number(cursor.id);
  return cursor.way === 'older' ? { number: { lt: number } } : { number: { gt: number } };
}
