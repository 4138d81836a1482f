import 'server-only';
import type { Prisma } from '#prisma/client/client.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader, Tx } from './client.ts';

const whole = {
  edits: { orderBy: [{ kind: 'asc' }, { name: 'asc' }] },
  reviews: { orderBy: [{ at: 'asc' }, { id: 'asc' }] },
  overrides: { orderBy: [{ kind: 'asc' }, { name: 'asc' }, { code: 'asc' }] },
} as const satisfies Prisma.ChangeInclude;

/** The verdict of a published change is long, and read only where it is shown. */
const omit = { verdict: true } as const satisfies Prisma.ChangeOmit;

/** A change with its edits and reviews, as stored. */
export type StoredChange = Prisma.ChangeGetPayload<{ include: typeof whole; omit: typeof omit }>;
export type StoredEdit = StoredChange['edits'][number];
export type StoredReview = StoredChange['reviews'][number];

/** Reads a change. Refuses with `not_found`. */
export async function readStoredChange(db: Reader, number: number): Promise<StoredChange> {
  const change = await db.change.findUnique({ where: { number }, include: whole, omit });
  if (change === null) throw new ServerError('not_found', { publicMessage: `There is no change ∆${number}.` });
  return change;
}

/**
 * Reads a change and keeps everybody else from changing it until the transaction ends. Every verb that changes one starts
 * with this, so that two of them never decide on the same state.
 */
export async function lockChange(tx: Tx, number: number): Promise<StoredChange> {
  await tx.$queryRaw`SELECT number FROM change WHERE number = ${number} FOR UPDATE`;
  return readStoredChange(tx, number);
}

/** What a list of changes is narrowed by. */
export interface ChangeFilter {
  readonly states: readonly string[] | null;
  readonly words: string | undefined;
  /** Ids of the authors whose changes are wanted; null: everybody's. */
  readonly authors?: readonly string[] | null;
}

/** Changes newest first, from a place on; `limit` rows, with edits and reviews. */
export function listStoredChanges(
  db: Reader,
  filter: ChangeFilter,
  page: { readonly place: Prisma.ChangeWhereInput; readonly isNewer: boolean; readonly limit: number },
): Promise<StoredChange[]> {
  const order = page.isNewer ? 'asc' : 'desc';
  return db.change.findMany({
    where: { AND: [whereOf(filter), page.place] },
    orderBy: [{ updatedAt: order }, { number: order }],
    take: page.limit,
    include: whole,
    omit,
  });
}

/** How many changes meet the filter, counted to at most `most` + 1. */
export async function countChanges(db: Reader, filter: ChangeFilter, most: number): Promise<number> {
  const rows = await db.change.findMany({ where: whereOf(filter), select: { number: true }, take: most + 1 });
  return rows.length;
}

function whereOf({ states, words, authors = null }: ChangeFilter): Prisma.ChangeWhereInput {
  const number = words === undefined ? undefined : /^∆?(\d{1,9})$/.exec(words)?.[1];
  return {
    ...(states === null ? {} : { state: { in: [...states] } }),
    ...(authors === null ? {} : { authorId: { in: [...authors] } }),
    ...(words === undefined || words === ''
      ? {}
      : {
          OR: [
            { title: { contains: words, mode: 'insensitive' } },
            { authorName: { contains: words, mode: 'insensitive' } },
            { edits: { some: { name: { contains: words, mode: 'insensitive' } } } },
            ...(number === undefined ? [] : [{ number: Number(number) }]),
          ],
        }),
  };
}
