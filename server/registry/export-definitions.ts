import 'server-only';
import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { Ctx } from '#server/context.ts';
import type { ExportedDefinition, ExportPage, ExportQuery } from '#server/contract/as-code.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';
import { readManaged } from '#server/db/managed.ts';

const Document = z.record(z.string(), z.unknown());

/**
 * GET /api/definitions/export: published definitions with their documents, by kind and name. Readable by everybody. Three
 * queries a page. Each page names the newest release, so that a reader notices a publish between two pages.
 */
export async function exportDefinitions(
  ctx: Ctx,
  { cursor, limit }: z.infer<typeof ExportQuery>,
): Promise<z.infer<typeof ExportPage>> {
  const rows = await ctx.db.definition.findMany({
    where: { AND: [{ removed: false }, cursor === undefined ? {} : beyond(cursor)] },
    orderBy: [{ kind: 'asc' }, { name: 'asc' }],
    take: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  // Asked for after the rows: a publish in between shows as a number that the first page did not have.
  const release = await newestNumber(ctx.db);
  return {
    release,
    items: await withSources(ctx.db, items),
    ...(rows.length > limit && last !== undefined ? { next: writeCursor(last) } : {}),
  };
}

/** Number of the newest release; null before the first. */
async function newestNumber(db: Reader): Promise<number | null> {
  const release = await db.release.findFirst({
    orderBy: [{ epoch: 'desc' }, { number: 'desc' }],
    select: { number: true },
  });
  return release?.number ?? null;
}

async function withSources(
  db: Reader,
  rows: Awaited<ReturnType<Reader['definition']['findMany']>>,
): Promise<ExportedDefinition[]> {
  const managed = new Map((await readManaged(db, rows)).map((row) => [`${row.kind} ${row.name}`, row.source]));
  return rows.map(({ kind, name, document, revision }) => ({
    kind: DefinitionKind.parse(kind),
    name,
    document: Document.parse(document),
    revision,
    managedBy: managed.get(`${kind} ${name}`) ?? null,
  }));
}

const Cursor = z.tuple([z.string().max(64), z.string().max(64)]);

function beyond(cursor: string) {
  try {
    const [kind, name] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { OR: [{ kind: { gt: kind } }, { kind, name: { gt: name } }] };
  } catch (cause) {
    throw new ServerError('invalid_input', {
      publicMessage: 'The cursor is not one of this list. Start again from the first page.',
      cause,
    });
  }
}

function writeCursor({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return Buffer.from(JSON.stringify([kind, name])).toString('base64url');
}
