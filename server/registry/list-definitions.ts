import 'server-only';
import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { Ctx } from '#server/context.ts';
import type { DefinitionPage, DefinitionQuery, DefinitionRow, DefinitionState } from '#server/contract/definitions.ts';
import type { Reader } from '#server/db/client.ts';
import { missingAt } from '#server/db/json.ts';
import { type NamePlace, readNameCursor, writeNameCursor } from './name-cursor.ts';
import { readUseOf, type TypeUse } from './use-of-types.ts';

type Query = z.infer<typeof DefinitionQuery>;
export type DefinitionColumns = Awaited<ReturnType<Reader['definition']['findMany']>>[number];

const COUNT_UP_TO = 10_000;

/**
 * GET /api/definitions: published definitions of one kind (or of both kinds of types) by name, filtered and paged here; with
 * `first: mine` those of the asker's teams before all others. Readable by everybody signed in. Three queries at most however
 * many there are, and two for the use of types on the page.
 */
export async function listDefinitions(ctx: Ctx, input: Query): Promise<z.infer<typeof DefinitionPage>> {
  const where = whereOf(input, ctx.actor.teams);
  const cursor = readNameCursor(input.cursor);
  const isBack = cursor?.way === 'previous';
  const [rows, total] = await Promise.all([
    readRows(ctx.db, { where, cursor, groups: groupsOf(input, ctx.actor.teams), limit: input.limit }),
    ctx.db.definition.count({ where }),
  ]);
  const items = rows.slice(0, input.limit);
  if (isBack) items.reverse();
  const hasMore = rows.length > input.limit;
  const use = await readUseOf(
    ctx,
    items.map(({ row }) => row),
  );
  return {
    items: items.map(({ row }) => definitionRow(row, use.get(row.name) ?? null)),
    ...cursorsOf(items, { hasNext: isBack || hasMore, hasPrevious: isBack ? hasMore : cursor !== null }),
    total: total > COUNT_UP_TO ? null : total,
  };
}

type Where = NonNullable<NonNullable<Parameters<Reader['definition']['findMany']>[0]>['where']>;

/** A row with the group that it stands in: groups follow each other, each by name. */
interface Placed {
  readonly row: DefinitionColumns;
  readonly group: number;
}

/** The parts of the list, in order: one, or what the teams of whoever asks own and then the rest. */
function groupsOf({ first, team }: Query, mine: readonly string[]): readonly Where[] {
  if (first !== 'mine' || team !== undefined || mine.length === 0) return [{}];
  const owned = { ownerTeam: { in: [...mine] } };
  return [owned, { NOT: owned }];
}

interface Asked {
  readonly where: Where;
  readonly cursor: NamePlace | null;
  readonly groups: readonly Where[];
  readonly limit: number;
}

/** One row more than a page from the cursor on, in its direction: group after group until there are enough. */
async function readRows(db: Reader, { where, cursor, groups, limit }: Asked): Promise<Placed[]> {
  const isBack = cursor?.way === 'previous';
  const order = isBack ? 'desc' : 'asc';
  const found: Placed[] = [];
  for (const [group, within] of isBack ? [...groups.entries()].reverse() : groups.entries()) {
    const isPassed = cursor !== null && (isBack ? group > cursor.group : group < cursor.group);
    if (isPassed || found.length > limit) continue;
    const place = cursor?.group === group ? placeOf(cursor) : {};
    const rows = await db.definition.findMany({
      where: { AND: [where, within, place] },
      orderBy: [{ name: order }, { kind: order }],
      take: limit + 1 - found.length,
    });
    found.push(...rows.map((row) => ({ row, group })));
  }
  return found;
}

/** A stored definition as a row of a list. */
export function definitionRow(row: DefinitionColumns, use: TypeUse | null): DefinitionRow {
  return {
    kind: DefinitionKind.parse(row.kind),
    name: row.name,
    ownerTeam: row.ownerTeam,
    description: row.description,
    revision: row.revision,
    release: row.releaseNumber,
    changedAtMs: row.changedAt.getTime(),
    changedBy: { id: row.changedById, name: row.changedByName },
    summary: row.summary,
    state: stateOf(row),
    use,
  };
}

const Lifecycle = z.object({ lifecycle: z.object({ state: z.enum(['deprecated-warn', 'deprecated-error']) }) });

function stateOf({ removed, document }: DefinitionColumns): DefinitionState {
  if (removed) return 'removed';
  return Lifecycle.safeParse(document).data?.lifecycle.state ?? 'active';
}

const DEPRECATED = ['deprecated-warn', 'deprecated-error'].map((state) => ({
  document: { path: ['lifecycle', 'state'], equals: state },
}));
const BY_STATE = {
  active: { document: missingAt(['lifecycle', 'state']) },
  deprecated: { OR: DEPRECATED },
  removed: {},
};

function whereOf({ kind, q, team, state }: Query, mine: readonly string[]) {
  return {
    removed: state === 'removed',
    ...(state === undefined ? {} : { AND: [BY_STATE[state]] }),
    kind: kind === 'type' ? { in: ['objectType', 'edgeType'] } : kind,
    ...(team === undefined ? {} : { ownerTeam: team === 'mine' ? { in: [...mine] } : team }),
    ...(q === undefined || q === ''
      ? {}
      : {
          OR: [
            { name: { contains: q, mode: 'insensitive' as const } },
            { description: { contains: q, mode: 'insensitive' as const } },
            { summary: { contains: q, mode: 'insensitive' as const } },
          ],
        }),
  };
}

function placeOf({ way, name, kind }: NamePlace): Where {
  return way === 'next'
    ? { OR: [{ name: { gt: name } }, { name, kind: { gt: kind } }] }
    : { OR: [{ name: { lt: name } }, { name, kind: { lt: kind } }] };
}

function cursorsOf(
  items: readonly Placed[],
  has: { readonly hasNext: boolean; readonly hasPrevious: boolean },
): { next?: string; previous?: string } {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return {};
  return {
    ...(has.hasNext ? { next: cursorAt('next', last) } : {}),
    ...(has.hasPrevious ? { previous: cursorAt('previous', first) } : {}),
  };
}

function cursorAt(way: NamePlace['way'], { row: { name, kind }, group }: Placed): string {
  return writeNameCursor({ way, name, kind, group });
}
