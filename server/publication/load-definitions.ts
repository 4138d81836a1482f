import 'server-only';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { KeySection } from '#gateway/contract/release.ts';
import type { KeyItem } from '#server/compile/model.ts';
import type { Reader } from '#server/db/client.ts';

/** What compile needs beside a change's edits. */
export interface Surroundings {
  readonly published: readonly Definition[];
  readonly teams: readonly string[];
  readonly keys: readonly KeyItem[];
}

/** The definitions of the newest release, all teams, and the keys that are neither revoked nor expired. */
export async function loadSurroundings(db: Reader, nowMs: number): Promise<Surroundings> {
  const [rows, teams, keys] = [
    await db.definition.findMany({
      where: { removed: false },
      select: { kind: true, name: true, document: true },
      orderBy: [{ kind: 'asc' }, { name: 'asc' }],
    }),
    await db.team.findMany({ select: { name: true }, orderBy: { name: 'asc' } }),
    await db.principalKey.findMany({
      where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(nowMs) } }] },
      orderBy: { id: 'asc' },
    }),
  ];
  return {
    published: rows.map((row) => Definition.parse(row)),
    teams: teams.map(({ name }) => name),
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
