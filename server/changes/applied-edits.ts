import 'server-only';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import type { ApplyDefinitions } from '#server/contract/as-code.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Tx } from '#server/db/client.ts';
import { documentHash, type Kept, type ManagedRow } from '#server/db/managed.ts';

type DraftEdit = ApplyDefinitions['edits'][number];

/** What is published under one name; no document when it was removed or never was. */
export interface PublishedNow {
  readonly document: unknown;
  readonly revision: number;
  readonly by: string;
}

/** An edit that differs from what is published, with what it starts from. */
export interface AppliedEdit extends DraftEdit {
  readonly base: unknown;
  readonly baseRevision: number;
}

export interface Comparison {
  readonly edits: readonly AppliedEdit[];
  readonly kept: readonly Kept[];
}

/** What is published under the names of an apply. */
export async function readPublishedNow(
  tx: Tx,
  names: readonly { readonly kind: string; readonly name: string }[],
): Promise<ReadonlyMap<string, PublishedNow>> {
  const rows = await tx.definition.findMany({ where: { name: { in: [...new Set(names.map(({ name }) => name))] } } });
  return new Map(
    rows.map(({ kind, name, document, revision, removed, changedByName }) => [
      `${kind} ${name}`,
      { document: removed ? null : document, revision, by: changedByName },
    ]),
  );
}

/**
 * The edits of an apply that change anything, and what the repository keeps from now on. A document that is complete is
 * stored as its schema reads it, so that a field left at its default is no difference.
 */
export function compareWithPublished(
  input: Pick<ApplyDefinitions, 'edits' | 'unchanged'>,
  published: ReadonlyMap<string, PublishedNow>,
): Comparison {
  const edits: AppliedEdit[] = [];
  const kept: Kept[] = [];
  for (const edit of input.edits.map(normalised)) {
    const now = published.get(`${edit.kind} ${edit.name}`) ?? NOTHING;
    const publishedSha256 = hashOrNull(now.document);
    const appliedSha256 = documentHash(edit.document);
    if (hashOrNull(edit.document) !== publishedSha256) {
      edits.push({ ...edit, base: now.document, baseRevision: now.revision });
    }
    if (edit.document !== null || now.document !== null) {
      kept.push({ kind: edit.kind, name: edit.name, publishedSha256, appliedSha256 });
    }
  }
  for (const { kind, name } of input.unchanged) {
    const hash = hashOrNull(published.get(`${kind} ${name}`)?.document ?? null);
    // Not published after all: the release check has caught it, or the name was never there.
    if (hash !== null) kept.push({ kind, name, publishedSha256: hash, appliedSha256: hash });
  }
  return { edits, kept };
}

/** Refuses (`conflict`) definitions that another repository keeps, each named. */
export function refuseOthers(managed: readonly ManagedRow[], source: string): void {
  const others = managed.filter((row) => row.source !== source);
  const first = others[0];
  if (first === undefined) return;
  throw new ServerError('conflict', {
    publicMessage: `${first.name} is kept in ${first.source}${andMore(others.length)}. Take it out of these files, or apply with --take-over.`,
    fields: Object.fromEntries(others.map((row) => [placeOf(row), `is kept in ${row.source}`])),
  });
}

/** Refuses (`conflict`) what somebody changed in the console since this repository's last apply, each named. */
export function refuseDrift(
  comparison: Comparison,
  managed: readonly ManagedRow[],
  published: ReadonlyMap<string, PublishedNow>,
): void {
  const known = new Map(managed.map((row) => [`${row.kind} ${row.name}`, row]));
  const drifted = comparison.edits.filter((edit) => {
    const row = known.get(`${edit.kind} ${edit.name}`);
    const hash = hashOrNull(edit.base);
    return row !== undefined && hash !== row.publishedSha256 && hash !== row.appliedSha256;
  });
  const first = drifted[0];
  if (first === undefined) return;
  const who = (edit: AppliedEdit) => published.get(`${edit.kind} ${edit.name}`)?.by ?? 'Somebody';
  throw new ServerError('conflict', {
    publicMessage: `${who(first)} changed ${first.name} in the console since the last apply${andMore(drifted.length)}. Export it into the files, or apply with --overwrite.`,
    fields: Object.fromEntries(
      drifted.map((edit) => [placeOf(edit), `was changed by ${who(edit)} since the last apply`]),
    ),
  });
}

const NOTHING: PublishedNow = { document: null, revision: 0, by: '' };

function normalised(edit: DraftEdit): DraftEdit {
  const parsed = Definition.safeParse(edit);
  return parsed.success ? { ...edit, document: { ...parsed.data.document } } : edit;
}

function hashOrNull(document: unknown): string | null {
  return document === null ? null : documentHash(document);
}

function placeOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind}/${name}`;
}

function andMore(count: number): string {
  return count === 1 ? '' : `, and so ${count === 2 ? 'is one more' : `are ${count - 1} more`}`;
}
