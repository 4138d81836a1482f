import 'server-only';
import { z } from 'zod';
import { ServerError } from '#server/contract/server-error.ts';

/** A place in a list sorted by time and id, newest first, and the way to read on from it. */
const TimeCursor = z.object({
  way: z.enum(['older', 'newer']),
  atMs: z.int(),
  id: z.string().max(200),
});
export type TimeCursor = z.infer<typeof TimeCursor>;

/** What a cursor looks like to a client: opaque, and safe in a URL. */
export function writeCursor(cursor: TimeCursor): string {
  return Buffer.from(JSON.stringify([cursor.way, cursor.atMs, cursor.id])).toString('base64url');
}

/** Reads a cursor that `writeCursor` made; anything else is `invalid_input`. */
export function readCursor(text: string | undefined): TimeCursor | null {
  if (text === undefined) return null;
  try {
    const [way, atMs, id] = z
      .tuple([z.unknown(), z.unknown(), z.unknown()])
      .parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return TimeCursor.parse({ way, atMs, id });
  } catch (cause) {
    throw new ServerError('invalid_input', {
      publicMessage: 'The cursor is not one of this list. Start again from the first page.',
      fields: { cursor: 'is not a cursor of this list' },
      cause,
    });
  }
}

interface Placed {
  readonly atMs: number;
  readonly id: string;
}

/**
 * A page of rows read from `cursor` with one row more than `limit`, in reading order (away from the cursor). Returns
 * them newest first with the cursors to go on both ways.
 */
export function pageOf<T extends Placed>(
  rows: readonly T[],
  cursor: TimeCursor | null,
  limit: number,
): { readonly items: T[]; readonly next?: string; readonly previous?: string } {
  const more = rows.length > limit;
  const inOrder = rows.slice(0, limit);
  const items = cursor?.way === 'newer' ? inOrder.reverse() : inOrder;
  const first = items[0];
  const last = items[items.length - 1];
  if (first === undefined || last === undefined) return { items };
  const hasOlder = cursor?.way === 'newer' ? true : more;
  const hasNewer = cursor?.way === 'newer' ? more : cursor !== null;
  return {
    items,
    ...(hasOlder ? { next: writeCursor({ way: 'older', atMs: last.atMs, id: last.id }) } : {}),
    ...(hasNewer ? { previous: writeCursor({ way: 'newer', atMs: first.atMs, id: first.id }) } : {}),
  };
}
