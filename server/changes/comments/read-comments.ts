import 'server-only';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { ChangeComment } from '#server/contract/changes.ts';
import type { Reader } from '#server/db/client.ts';

/** Comments shown with a change; whoever needs more than this talks elsewhere. */
const MAX_COMMENTS = 500;

/** Every comment of a change, oldest first. */
export async function readComments(db: Reader, number: number): Promise<ChangeComment[]> {
  const rows = await db.changeComment.findMany({
    where: { changeNumber: number },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
    take: MAX_COMMENTS,
  });
  return rows.map((row) => ({
    id: row.id,
    kind: DefinitionKind.parse(row.kind),
    name: row.name,
    path: row.path,
    text: row.text,
    author: { id: row.authorId, name: row.authorName },
    atMs: row.at.getTime(),
    resolvedBy: row.resolvedById === null ? null : { id: row.resolvedById, name: row.resolvedByName ?? '' },
  }));
}
