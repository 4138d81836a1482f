import 'server-only';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { summarise } from '#server/compile/describe-edits.ts';
import { type DraftEdit, keyOf } from '#server/compile/model.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson, dbJsonValue } from '#server/db/json.ts';
import type { PublishRequest } from './publish-request.ts';

interface Written {
  readonly request: PublishRequest;
  /** All definitions after the edits. */
  readonly definitions: readonly Definition[];
  readonly release: number;
  readonly nowMs: number;
}

/** Moves the edited definitions to what the release holds, each with a revision that says who, why and in which release. */
export async function writeDefinitions(tx: Tx, written: Written): Promise<void> {
  const after = new Map(written.definitions.map((definition) => [keyOf(definition), definition]));
  for (const edit of written.request.edits) {
    const definition = after.get(keyOf(edit)) ?? null;
    const revision = await writeDefinition(tx, { edit, definition, written });
    await writeRevision(tx, { edit, definition, revision, written });
  }
}

interface OneEdit {
  readonly edit: DraftEdit;
  /** Null when the edit removes it. */
  readonly definition: Definition | null;
  readonly written: Written;
}

async function writeDefinition(tx: Tx, { edit, definition, written }: OneEdit): Promise<number> {
  const key = { kind: edit.kind, name: edit.name };
  const stamp = {
    releaseNumber: written.release,
    changedAt: new Date(written.nowMs),
    changedById: written.request.author.id,
    changedByName: written.request.author.name,
  };
  if (definition === null) {
    const { revision } = await tx.definition.update({
      where: { kind_name: key },
      data: { ...stamp, removed: true, revision: { increment: 1 } },
      select: { revision: true },
    });
    return revision;
  }
  const fields = { ...columnsOf(definition), ...stamp, removed: false };
  const { revision } = await tx.definition.upsert({
    where: { kind_name: key },
    update: { ...fields, revision: { increment: 1 } },
    create: { ...key, ...fields, revision: 1 },
    select: { revision: true },
  });
  return revision;
}

function columnsOf(definition: Definition) {
  return {
    ownerTeam: definition.document.ownerTeam,
    description: definition.kind === 'tenant' ? definition.document.displayName : definition.document.description,
    document: dbJsonValue(definition.document),
    summary: summarise(definition),
    tenant: definition.kind === 'principal' ? definition.document.tenant : null,
  };
}

async function writeRevision(tx: Tx, one: OneEdit & { readonly revision: number }): Promise<void> {
  const { edit, definition, revision, written } = one;
  const { request } = written;
  await tx.definitionRevision.create({
    data: {
      kind: edit.kind,
      name: edit.name,
      revision,
      releaseNumber: written.release,
      changeNumber: request.changeNumber,
      at: new Date(written.nowMs),
      authorId: request.author.id,
      authorName: request.author.name,
      approvedById: request.approvedBy?.id ?? null,
      approvedByName: request.approvedBy?.name ?? null,
      selfApproved: request.selfApproved,
      reason: request.reason,
      document: dbJson(definition?.document),
    },
  });
}
