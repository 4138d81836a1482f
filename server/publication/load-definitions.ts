import 'server-only';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { KeySection } from '#gateway/contract/release.ts';
import type { CheckInput, DraftEdit, KeyItem } from '#server/compile/model.ts';
import type { Reader } from '#server/db/client.ts';
import { loadPublished } from './load-published.ts';

/** What compile needs beside a change's edits. */
export interface Surroundings {
  readonly published: readonly Definition[];
  readonly teams: readonly string[];
  readonly keys: readonly KeyItem[];
}

/** The definitions of the newest release, all teams, and the keys that are neither revoked nor expired. */
export async function loadSurroundings(db: Reader, nowMs: number): Promise<Surroundings> {
  const keys = await db.principalKey.findMany({
    where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(nowMs) } }] },
    orderBy: { id: 'asc' },
  });
  return {
    published: await loadPublished(db),
    teams: await loadTeams(db),
    keys: KeySection.parse({
      items: keys.map(({ id, principal, secretSha256, expiresAt }) => ({
        id,
        principal,
        secretSha256,
        expiresAtMs: expiresAt?.getTime() ?? null,
      })),
    }).items,
  };
}

/** The same as far as a check needs it, with the last documents of removed definitions that the edits bring back. */
export async function loadCheckInput(db: Reader, edits: readonly DraftEdit[]): Promise<CheckInput> {
  const [published, teams] = [await loadPublished(db), await loadTeams(db)];
  return { published, edits, teams, removed: await loadRemoved(db, edits) };
}

async function loadTeams(db: Reader): Promise<readonly string[]> {
  const teams = await db.team.findMany({ select: { name: true }, orderBy: { name: 'asc' } });
  return teams.map(({ name }) => name);
}

async function loadRemoved(db: Reader, edits: readonly DraftEdit[]): Promise<readonly Definition[]> {
  const names = edits.filter(({ document }) => document !== null).map(({ kind, name }) => ({ kind, name }));
  if (names.length === 0) return [];
  const rows = await db.definition.findMany({
    where: { removed: true, OR: names },
    select: { kind: true, name: true, document: true },
  });
  return rows.map((row) => Definition.parse(row));
}
