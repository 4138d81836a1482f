import 'server-only';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { compareReleases, type ReleaseId } from '#gateway/contract/release.ts';
import { keyOf } from '#server/compile/model.ts';
import type { Reader } from '#server/db/client.ts';

interface Published {
  readonly release: ReleaseId & { readonly sha256: string };
  readonly definitions: readonly Definition[];
}

/** The last release that was asked for: definitions move with a release and never without one. */
let newest: Published | null = null;

/**
 * The definitions of the newest release by kind and name; equal arrays are one array until the next release, and then only
 * what it changed is read and parsed. To be called before a transaction writes definitions of its own.
 */
export async function loadPublished(db: Reader): Promise<readonly Definition[]> {
  const release = await newestRelease(db);
  if (release === null) return readAll(db);
  const known = newest;
  if (known?.release.sha256 === release.sha256) return known.definitions;
  const definitions =
    known !== null && (await isBefore(db, known, release)) ? await readSince(db, known) : await readAll(db);
  // A release that came in between moved the definitions; what was read then belongs to no release for certain.
  if ((await newestRelease(db))?.sha256 === release.sha256) newest = { release, definitions };
  return definitions;
}

async function newestRelease(db: Reader): Promise<Published['release'] | null> {
  return db.release.findFirst({
    orderBy: [{ epoch: 'desc' }, { number: 'desc' }],
    select: { epoch: true, number: true, sha256: true },
  });
}

/** Whether what is known is an earlier state of this database, and not of one that was restored or of another. */
async function isBefore(db: Reader, { release }: Published, newer: ReleaseId): Promise<boolean> {
  if (release.epoch !== newer.epoch || compareReleases(release, newer) >= 0) return false;
  return (await db.release.count({ where: { sha256: release.sha256 } })) === 1;
}

async function readAll(db: Reader): Promise<readonly Definition[]> {
  const rows = await db.definition.findMany({
    where: { removed: false },
    select: { kind: true, name: true, document: true },
    orderBy: [{ kind: 'asc' }, { name: 'asc' }],
  });
  return rows.map((row) => Definition.parse(row));
}

/** Every write of a definition stamps it with its release, a removal too. */
async function readSince(db: Reader, { release, definitions }: Published): Promise<readonly Definition[]> {
  const rows = await db.definition.findMany({
    where: { releaseNumber: { gt: release.number } },
    select: { kind: true, name: true, document: true, removed: true },
  });
  const moved = new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
  const kept = definitions.filter((definition) => !moved.has(keyOf(definition)));
  const fresh = rows
    .filter(({ removed }) => !removed)
    .map(({ kind, name, document }) => Definition.parse({ kind, name, document }));
  return [...kept, ...fresh].sort(byKindAndName);
}

/** As the database sorts them: by code point, which for names is by code unit. */
function byKindAndName(a: Definition, b: Definition): number {
  return a.kind === b.kind ? compare(a.name, b.name) : compare(a.kind, b.kind);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
