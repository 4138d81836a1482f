import 'server-only';
import { createHash } from 'node:crypto';
import { canonicalJson } from '#gateway/contract/release.ts';
import type { ManagedBy } from '#server/contract/managed-by.ts';
import type { Reader, Tx } from './client.ts';

/** Key of a definition. */
export interface DefinitionName {
  readonly kind: string;
  readonly name: string;
}

/** A definition as a repository keeps it. */
export interface Kept extends DefinitionName {
  /** Hash of what is published now; null when nothing is. */
  readonly publishedSha256: string | null;
  /** Hash of what the files say. */
  readonly appliedSha256: string;
}

export type ManagedRow = Awaited<ReturnType<Reader['managedDefinition']['findMany']>>[number];

/** Hash of a document, whatever the order of its fields. */
export function documentHash(document: unknown): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex');
}

/** Which repositories keep these definitions. One query however many. */
export async function readManaged(db: Reader, names: readonly DefinitionName[]): Promise<readonly ManagedRow[]> {
  if (names.length === 0) return [];
  const rows = await db.managedDefinition.findMany({
    where: { name: { in: [...new Set(names.map(({ name }) => name))] } },
  });
  const wanted = new Set(names.map(({ kind, name }) => `${kind} ${name}`));
  return rows.filter(({ kind, name }) => wanted.has(`${kind} ${name}`));
}

/** A row as pages take it. */
export function managedBy(row: ManagedRow | undefined): ManagedBy | null {
  if (row === undefined) return null;
  return { source: row.source, appliedAtMs: row.appliedAt.getTime(), appliedBy: row.appliedByName };
}

/** Notes that the repository keeps these, in one statement however many. */
export async function writeManaged(
  tx: Tx,
  kept: readonly Kept[],
  by: { readonly source: string; readonly at: Date; readonly id: string; readonly name: string },
): Promise<void> {
  if (kept.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO managed_definition
      (kind, name, source, published_sha256, applied_sha256, applied_at, applied_by_id, applied_by_name)
    SELECT kept.kind, kept.name, ${by.source}, kept."publishedSha256", kept."appliedSha256", ${by.at}, ${by.id}, ${by.name}
    FROM jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
      AS kept(kind text, name text, "publishedSha256" text, "appliedSha256" text)
    ON CONFLICT (kind, name) DO UPDATE SET
      source = excluded.source, published_sha256 = excluded.published_sha256, applied_sha256 = excluded.applied_sha256,
      applied_at = excluded.applied_at, applied_by_id = excluded.applied_by_id,
      applied_by_name = excluded.applied_by_name`;
}

/** Lets these go, as far as this repository keeps them. */
export async function dropManaged(tx: Tx, source: string, names: readonly DefinitionName[]): Promise<void> {
  if (names.length === 0) return;
  await tx.$executeRaw`
    DELETE FROM managed_definition AS managed
    USING jsonb_to_recordset(${JSON.stringify(names)}::jsonb) AS gone(kind text, name text)
    WHERE managed.source = ${source} AND managed.kind = gone.kind AND managed.name = gone.name`;
}
