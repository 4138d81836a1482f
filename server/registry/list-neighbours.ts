import 'server-only';
import type { z } from 'zod';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { catalogOf } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import { type Neighbour, type NeighbourPage, NeighbourQuery } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { loadPublished } from '#server/publication/load-published.ts';
import { readNameCursor, writeNameCursor } from './name-cursor.ts';
import { neighboursOf } from './neighbours.ts';
import { DefinitionPath } from './read-definition.ts';

export const ListNeighboursInput = NeighbourQuery.extend(DefinitionPath.shape);
type Input = z.infer<typeof ListNeighboursInput>;

const COUNT_UP_TO = 10_000;

/**
 * GET /api/definitions/{kind}/{name}/neighbours: the edge types around a type by name, a page at a time; `q` is looked for in
 * their names and ends. Readable by everybody signed in. Refuses with `not_found`, and `invalid_input` for a foreign cursor.
 * Two queries however many there are: published definitions are kept between requests.
 */
export async function listNeighbours(ctx: Ctx, input: Input): Promise<z.infer<typeof NeighbourPage>> {
  const { kind, name, limit } = input;
  const place = readNameCursor(input.cursor);
  const row = await ctx.db.definition.findUnique({ where: { kind_name: { kind, name } } });
  if (row === null) throw new ServerError('not_found', { publicMessage: `There is no ${name} in the registry.` });
  const definition = Definition.parse({ kind, name, document: row.document });
  const all = neighboursOf(definition, catalogOf(await loadPublished(ctx.db))).filter(fits(input));
  const at = place === null ? 0 : indexAfter(all, place.name, place.way);
  const from = place?.way === 'previous' ? Math.max(0, at - limit) : at;
  const to = place?.way === 'previous' ? at : from + limit;
  const items = all.slice(from, to);
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    ...(last === undefined || to >= all.length ? {} : { next: cursorOf('next', last) }),
    ...(first === undefined || from === 0 ? {} : { previous: cursorOf('previous', first) }),
    total: all.length > COUNT_UP_TO ? null : all.length,
  };
}

function fits({ name, q, way }: Input): (neighbour: Neighbour) => boolean {
  const wanted = q?.toLowerCase() ?? '';
  return ({ edge, from, to, mirrors }) => {
    if (way === 'out' && (from !== name || mirrors !== null)) return false;
    return wanted === '' || [edge, from, to].some((each) => each.toLowerCase().includes(wanted));
  };
}

/** Where the page begins, or for the page before where it ends. A row that is gone since still has a place by its name. */
function indexAfter(all: readonly Neighbour[], name: string, way: 'next' | 'previous'): number {
  const at = all.findIndex(({ edge }) => (way === 'next' ? edge > name : edge >= name));
  return at === -1 ? all.length : at;
}

function cursorOf(way: 'next' | 'previous', { edge }: Neighbour): string {
  return writeNameCursor({ way, name: edge, kind: 'edgeType', group: 0 });
}
