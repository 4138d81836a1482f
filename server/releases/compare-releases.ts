import 'server-only';
import type { z } from 'zod';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { check } from '#server/compile/compile.ts';
import { type DraftEdit, keyOf } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import { CompareQuery, type ReleaseDiff } from '#server/contract/releases.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';
import { touchedSince } from '#server/publication/definitions-at.ts';
import { loadSurroundings } from '#server/publication/load-definitions.ts';
import { differing, overlay } from '#server/publication/starting-point.ts';
import { editFrom } from './preview-rollback.ts';
import { ReleasePath } from './read-release.ts';

export const CompareInput = CompareQuery.extend(ReleasePath.shape);

/**
 * GET /api/releases/{number}/diff?with=…: from the release named by `with` to this one, what differs in documents and in
 * effect. Either may be the older. Readable by everybody signed in. Refuses with `not_found`.
 */
export async function compareReleases(ctx: Ctx, input: z.infer<typeof CompareInput>): Promise<ReleaseDiff> {
  const { db } = ctx;
  const numbers = [input.number, input.with];
  const found = await db.release.findMany({ where: { number: { in: numbers } }, select: { number: true } });
  const missing = numbers.find((number) => !found.some((release) => release.number === number));
  if (missing !== undefined) throw new ServerError('not_found', { publicMessage: `There is no release r${missing}.` });
  const surroundings = await loadSurroundings(db, ctx.nowMs);
  const [from, to] = [await readAt(db, surroundings.published, input.with), await touchedSince(db, input.number)];
  // What only the older one differs in from today has to be told as well: as it is today, unless `to` says otherwise.
  const today = new Map(surroundings.published.map((definition) => [keyOf(definition), definition.document]));
  const same = from.touched.map(({ kind, name }) => ({
    kind,
    name,
    document: today.get(keyOf({ kind, name })) ?? null,
  }));
  const edits = differing(from.definitions, overlay(same, to));
  const { effects } = check({ ...surroundings, published: from.definitions, edits });
  return {
    from: input.with,
    to: input.number,
    edits: edits.map((edit) => editFrom(edit, from.definitions)),
    effects: [...effects],
  };
}

async function readAt(
  db: Reader,
  published: readonly Definition[],
  number: number,
): Promise<{ readonly definitions: readonly Definition[]; readonly touched: readonly DraftEdit[] }> {
  const touched = await touchedSince(db, number);
  const names = new Set(touched.map(keyOf));
  const kept = published.filter((definition) => !names.has(keyOf(definition)));
  const then = touched.filter(({ document }) => document !== null).map((edit) => Definition.parse(edit));
  return { definitions: [...kept, ...then], touched };
}
