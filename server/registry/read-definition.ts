import 'server-only';
import { z } from 'zod';
import { Definition, DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { catalogOf } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';
import { managedBy, readManaged } from '#server/db/managed.ts';
import { loadSurroundings } from '#server/publication/load-definitions.ts';
import { OPEN_STATES } from '#server/publication/outdate-overlaps.ts';
import { definitionRow } from './list-definitions.ts';
import { relationsOf } from './relations.ts';
import { typeUsers } from './type-users.ts';

/** Path of one definition. */
export const DefinitionPath = z.object({ kind: DefinitionKind, name: z.string().min(1).max(64) });
type Path = z.infer<typeof DefinitionPath>;

const MAX_REVISIONS = 200;

/**
 * GET /api/definitions/{kind}/{name}: the published definition with its history, who may use it and what it touches.
 * Readable by everybody signed in; figures of traffic only where the asker may see them. Refuses with `not_found`, also
 * for a removed one, and says in which release it went.
 */
export async function readDefinition(ctx: Ctx, path: Path): Promise<DefinitionDetail> {
  const row = await ctx.db.definition.findUnique({ where: { kind_name: path } });
  if (row === null) throw missing(`There is no ${path.name} in the registry.`);
  if (row.removed) throw missing(`${path.name} was removed in r${row.releaseNumber} by ${row.changedByName}.`);
  const definition = Definition.parse({ ...path, document: row.document });
  const { published } = await loadSurroundings(ctx.db, ctx.nowMs);
  const catalog = catalogOf(published);
  return {
    definition,
    row: definitionRow(row),
    history: await readHistory(ctx.db, path),
    users: await typeUsers(ctx, definition, catalog),
    relatedTo: relationsOf(definition, catalog),
    managedBy: managedBy((await readManaged(ctx.db, [path]))[0]),
    openChanges: await readOpenChanges(ctx.db, path),
  };
}

async function readHistory(db: Reader, { kind, name }: Path): Promise<DefinitionDetail['history']> {
  const revisions = await db.definitionRevision.findMany({
    where: { kind, name },
    orderBy: { revision: 'desc' },
    take: MAX_REVISIONS,
  });
  return revisions.map((one) => ({
    revision: one.revision,
    release: one.releaseNumber,
    change: one.changeNumber,
    atMs: one.at.getTime(),
    author: { id: one.authorId, name: one.authorName },
    approvedBy: one.approvedById === null ? null : { id: one.approvedById, name: one.approvedByName ?? '' },
    selfApproved: one.selfApproved,
    reason: one.reason,
    document: one.document,
  }));
}

async function readOpenChanges(db: Reader, { kind, name }: Path): Promise<DefinitionDetail['openChanges']> {
  return db.change.findMany({
    where: { state: { in: OPEN_STATES }, edits: { some: { kind, name } } },
    select: { number: true, title: true, state: true },
    orderBy: { number: 'desc' },
    take: 50,
  });
}

function missing(publicMessage: string): ServerError {
  return new ServerError('not_found', { publicMessage });
}
