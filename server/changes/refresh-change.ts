import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { mergeEdit, type Overlap } from '#server/compile/merge-edit.ts';
import { countInWords } from '#server/compile/words.ts';
import type { Ctx } from '#server/context.ts';
import { RefreshChange } from '#server/contract/changes.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { StoredEdit } from '#server/db/changes.ts';
import type { Tx } from '#server/db/client.ts';
import { dbJson } from '#server/db/json.ts';
import { actOnChange, require, settleContent } from './act-on-change.ts';
import { mayEditNow } from './permissions.ts';
import { ChangePath } from './read-change.ts';

export const RefreshChangeInput = RefreshChange.extend(ChangePath.shape);
type Input = z.infer<typeof RefreshChangeInput>;

interface Rebased {
  readonly edit: StoredEdit;
  /** What is published now; null when it was removed. */
  readonly base: unknown;
  readonly baseRevision: number;
  readonly publishedBy: string;
  readonly document: unknown;
  readonly open: readonly Overlap[];
}

/**
 * POST /api/changes/{number}/refresh: lays the edits of an outdated change over what is published now and makes it a draft
 * again. What one side alone set is merged; true overlaps without a choice are refused as `conflict`, each named.
 */
export function refreshChange(ctx: Ctx, input: Input): Promise<object> {
  return actOnChange(ctx, input.number, async (locked) => {
    const { tx, standing, reviewers } = locked;
    require(mayEditNow(standing, ctx.actor, reviewers));
    if (standing.state !== 'outdated') {
      throw new ServerError('wrong_state', { publicMessage: `It is ${standing.state}, so it is up to date.` });
    }
    const { change } = standing;
    const rebased: Rebased[] = [];
    for (const edit of change.edits) rebased.push(await rebase(tx, edit, input.choices));
    refuseOverlaps(rebased);
    const saved: StoredEdit[] = [];
    for (const one of rebased) saved.push(await write(tx, ctx, one));
    await settleContent(locked, saved, ctx.nowMs);
    await tx.change.update({
      where: { number: change.number },
      data: { state: 'draft', submittedAt: null, approvedAt: null },
    });
    await appendAudit(tx, ctx, {
      did: 'brought up to date',
      what: `∆${change.number} ${change.title}`,
      href: `/changes/${change.number}`,
    });
    return {};
  });
}

async function rebase(tx: Tx, edit: StoredEdit, choices: Input['choices']): Promise<Rebased> {
  const definition = await tx.definition.findUnique({ where: { kind_name: { kind: edit.kind, name: edit.name } } });
  const base = definition === null || definition.removed ? null : definition.document;
  const baseRevision = definition?.revision ?? 0;
  const facts = { edit, base, baseRevision, publishedBy: definition?.changedByName ?? '' };
  if (baseRevision === edit.baseRevision) return { ...facts, document: edit.document, open: [] };
  const sides = { base: edit.base, mine: edit.document, theirs: base };
  return { ...facts, ...mergeEdit(sides, (path) => choices[placeOf(edit, path)]) };
}

function write(tx: Tx, ctx: Ctx, { edit, document, base, baseRevision }: Rebased): Promise<StoredEdit> {
  if (baseRevision === edit.baseRevision) return Promise.resolve(edit);
  const { changeNumber, kind, name } = edit;
  return tx.changeEdit.update({
    where: { changeNumber_kind_name: { changeNumber, kind, name } },
    data: {
      document: dbJson(document),
      base: dbJson(base),
      baseRevision,
      version: { increment: 1 },
      updatedAt: new Date(ctx.nowMs),
      updatedById: ctx.actor.id,
      updatedByName: ctx.actor.name,
      writers: [...new Set([...edit.writers, ctx.actor.id])],
    },
  });
}

function refuseOverlaps(rebased: readonly Rebased[]): void {
  const fields = rebased.flatMap(({ edit, open, publishedBy }) =>
    open.map((overlap): [string, string] => [placeOf(edit, overlap.path), sentence(edit, overlap, publishedBy)]),
  );
  const first = fields[0];
  if (first === undefined) return;
  throw new ServerError('conflict', {
    publicMessage: `${first[1]} Nothing was overwritten. Say for each place whose value stays.`,
    fields: Object.fromEntries(fields),
  });
}

function placeOf({ kind, name }: StoredEdit, path: string): string {
  return `${kind}/${name}/${path}`;
}

function sentence({ name, updatedByName }: StoredEdit, { path, mine, theirs }: Overlap, publishedBy: string): string {
  const where = path === '' ? name : `${name}.${path}`;
  return `${publishedBy} published ${where} as ${say(theirs)} while ${updatedByName} set ${say(mine)}.`;
}

function say(value: unknown): string {
  if (value === null) return 'removed';
  if (typeof value === 'number') return countInWords(value);
  // Quoted inside a sentence, a sentence has no full stop of its own.
  const text = value === undefined ? 'nothing' : JSON.stringify(value).replace(/\."$/, '"');
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
