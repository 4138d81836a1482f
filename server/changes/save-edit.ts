import 'server-only';
import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { changedFields } from '#server/compile/describe-edits.ts';
import type { Ctx } from '#server/context.ts';
import { type Edit, SaveEdit } from '#server/contract/changes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { StoredEdit } from '#server/db/changes.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';
import { actOnChange, type Locked, require, settleContent } from './act-on-change.ts';
import { mayEditNow } from './permissions.ts';
import { ChangePath, editOf } from './read-change.ts';
import { recordEditing } from './record-editing.ts';

/** Path of one edit. The name may be one that no definition could have: findings say so. */
export const EditPath = ChangePath.extend({ kind: DefinitionKind, name: z.string().min(1).max(64) });
export const SaveEditInput = SaveEdit.extend(EditPath.shape);
type Input = z.infer<typeof SaveEditInput>;

const MAX_EDITS = 200;
const MAX_DOCUMENT_CHARACTERS = 65_536;

/**
 * PUT /api/changes/{number}/edits/{kind}/{name}: saves the draft of one definition, complete or not. Refuses with
 * `conflict` when somebody saved it since `version` was read, saying field by field what differs; `wrong_state` once the
 * change is published or abandoned; `invalid_input` for a removal of what is not published. Standing reviews are voided.
 */
export function saveEdit(ctx: Ctx, input: Input): Promise<Edit> {
  return actOnChange(ctx, input.number, async (locked) => {
    const { tx, standing, reviewers } = locked;
    require(mayEditNow(standing, ctx.actor, reviewers));
    const { edits } = standing.change;
    const known = edits.find(({ kind, name }) => kind === input.kind && name === input.name) ?? null;
    checkVersion(input, known);
    checkSize(input, edits.length, known);
    const base = known ?? (await readBase(tx, input));
    if (input.document === null && base.base === null) throw nothingPublished(input.name);
    const saved = await writeEdit(locked, ctx, { input, known, base });
    await settleContent(locked, [...edits.filter((edit) => edit !== known), saved], ctx.nowMs);
    await recordEditing(tx, ctx, { change: standing.change, edit: saved });
    return editOf(saved);
  });
}

interface Base {
  readonly base: unknown;
  readonly baseRevision: number;
}

/** What the new edit starts from: the published definition. A removed one leaves its revision, and no document. */
async function readBase(tx: Tx, { kind, name }: Input): Promise<Base> {
  const definition = await tx.definition.findUnique({ where: { kind_name: { kind, name } } });
  if (definition === null) return { base: null, baseRevision: 0 };
  return { base: definition.removed ? null : definition.document, baseRevision: definition.revision };
}

function writeEdit(
  { tx, standing }: Locked,
  ctx: Ctx,
  { input, known, base }: { readonly input: Input; readonly known: StoredEdit | null; readonly base: Base },
): Promise<StoredEdit> {
  const key = { changeNumber: standing.change.number, kind: input.kind, name: input.name };
  const fields = {
    document: dbJson(input.document),
    version: input.version + 1,
    updatedAt: new Date(ctx.nowMs),
    updatedById: ctx.actor.id,
    updatedByName: ctx.actor.name,
    writers: [...new Set([...(known?.writers ?? []), ctx.actor.id])],
  };
  return tx.changeEdit.upsert({
    where: { changeNumber_kind_name: key },
    update: fields,
    create: { ...key, ...fields, base: dbJson(base.base), baseRevision: base.baseRevision },
  });
}

function checkVersion(input: Input, known: StoredEdit | null): void {
  if ((known?.version ?? 0) === input.version) return;
  if (known === null) {
    throw new ServerError('conflict', {
      publicMessage: `Somebody took ${input.name} out of this change meanwhile. Nothing was overwritten.`,
    });
  }
  const fields = changedFields(known.document, input.document).map(([path, theirs, mine]): [string, string] => [
    path,
    `${known.updatedByName} set ${say(theirs)}; you set ${say(mine)}`,
  ]);
  const first = fields[0];
  const example = first === undefined ? '' : ` ${first[0] === '' ? input.name : first[0]}: ${first[1]}.`;
  throw new ServerError('conflict', {
    publicMessage: `${known.updatedByName} saved ${input.name} since you read it. Nothing was overwritten.${example}`,
    fields: Object.fromEntries(fields),
  });
}

function checkSize(input: Input, count: number, known: StoredEdit | null): void {
  if (known === null && count >= MAX_EDITS) {
    throw new ServerError('invalid_input', { publicMessage: `A change has at most ${MAX_EDITS} edits.` });
  }
  if (JSON.stringify(input.document).length > MAX_DOCUMENT_CHARACTERS) {
    throw new ServerError('invalid_input', { publicMessage: 'A definition has at most 65,536 characters of JSON.' });
  }
}

function nothingPublished(name: string): ServerError {
  return new ServerError('invalid_input', {
    publicMessage: `${name} is not published, so there is nothing to remove. Take the edit out of the change.`,
  });
}

function say(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
