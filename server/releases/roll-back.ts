import 'server-only';
import type { z } from 'zod';
import { appendAudit } from '#server/audit/append.ts';
import { type Ctx, personOf } from '#server/context.ts';
import { RollBack, type RolledBack } from '#server/contract/rollouts.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { type Tx, withTransaction } from '#server/db/client.ts';
import { dbJson, dbJsonValue } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';
import { contentHashOf } from '#server/publication/content-hash.ts';
import { publishNarrowing } from '#server/publication/publish-narrowing.ts';
import { lockPublishing } from '#server/publication/publish-release.ts';
import type { RollbackRecord } from '#server/publication/rollback-record.ts';
import { type ForeseenRollback, foreseeRollback } from './foresee-rollback.ts';
import type { MoveOn } from './ports.ts';
import { ReleasePath } from './read-release.ts';

export const RollBackInput = RollBack.extend(ReleasePath.shape);
type Input = z.infer<typeof RollBackInput>;
type Reply = z.infer<typeof RolledBack>;

/**
 * POST /api/releases/{number}/rollback: moves the definitions back and publishes that, in one transaction, to all gateways
 * at once. What would newly allow something or raise a limit becomes a change in review instead, which a second person
 * approves. Keys are not touched: a revoked one stays revoked. Refuses with `revision_conflict` when somebody published
 * since `newest`, `not_permitted`, `wrong_state` when there is nothing to undo, `blocked_by_findings`.
 */
export function rollBackWith(moveOn: MoveOn) {
  return async (ctx: Ctx, input: Input): Promise<Reply> => {
    const reply = await withTransaction(ctx.db, async (tx) => {
      await lockPublishing(tx);
      await refuseMoved(tx, input.newest);
      const seen = await foreseeRollback(tx, ctx, { mode: input.mode, release: input.number });
      const { code, why } = seen.possible;
      if (code !== null) throw new ServerError(code, { publicMessage: why });
      return seen.widens.length === 0 ? publishAtOnce(tx, ctx, { seen, input }) : askSecond(tx, ctx, { seen, input });
    });
    await moveOn(ctx);
    return reply;
  };
}

interface Act {
  readonly seen: ForeseenRollback;
  readonly input: Input;
}

async function refuseMoved(tx: Tx, newest: number): Promise<void> {
  const since = await tx.release.findMany({
    where: { number: { gt: newest } },
    orderBy: { number: 'asc' },
    select: { number: true, byName: true, cause: true },
  });
  if (since.length === 0) return;
  const what = since.map(({ number, byName, cause }) => `r${number} by ${byName} (${cause})`).join(', ');
  throw new ServerError('revision_conflict', {
    publicMessage: `Since you looked there is ${what}. Nothing was rolled back; look again.`,
  });
}

async function publishAtOnce(tx: Tx, ctx: Ctx, { seen, input }: Act): Promise<Reply> {
  const { plan, edits } = seen;
  const what = await wordsOf(tx, input);
  const number = await publishNarrowing(tx, ctx, {
    edits: plan.edits,
    what,
    reason: input.reason,
    href: `/releases/${seen.newest + 1}`,
    subject: `release:${seen.newest + 1}`,
    followUp: edits.some(({ kind }) => kind === 'policy' || kind === 'principal') ? 'security' : 'operator',
    rollback: recordOf(plan),
  });
  await appendAudit(tx, ctx, {
    did: 'rolled back',
    what: `${what}: r${number}`,
    href: `/releases/${number}`,
    because: input.reason,
    outcome: 'emergency',
    release: number,
    before: documentsOf(seen.from.surroundings.published, edits),
    after: Object.fromEntries(edits.map(({ kind, name, document }) => [`${kind} ${name}`, document])),
  });
  return { release: number, change: null };
}

/** The same as a change that waits for somebody who wrote none of it. */
async function askSecond(tx: Tx, ctx: Ctx, { seen, input }: Act): Promise<Reply> {
  const { plan, from, widens } = seen;
  const now = new Date(ctx.nowMs);
  const by = personOf(ctx.actor);
  const revisions = await tx.definition.findMany({
    where: { OR: plan.edits.map(({ kind, name }) => ({ kind, name })) },
    select: { kind: true, name: true, revision: true },
  });
  const start = documentsOf(from.start, plan.edits);
  const edits = plan.edits.map(({ kind, name, document }) => ({
    kind,
    name,
    document,
    base: start[`${kind} ${name}`] ?? null,
    baseRevision: revisions.find((one) => one.kind === kind && one.name === name)?.revision ?? 0,
  }));
  const { number } = await tx.change.create({
    data: {
      title: input.mode === 'undo' ? `Undo r${input.number}` : `Return everything to r${input.number}`,
      reason: input.reason,
      state: 'in review',
      authorId: by.id,
      authorName: by.name,
      createdAt: now,
      updatedAt: now,
      submittedAt: now,
      contentHash: contentHashOf(edits),
      emergency: true,
      rollback: dbJsonValue(recordOf(plan)),
      edits: {
        create: edits.map((edit) => ({
          ...edit,
          document: dbJson(edit.document),
          base: dbJson(edit.base),
          version: 1,
          updatedAt: now,
          updatedById: by.id,
          updatedByName: by.name,
          writers: [by.id],
        })),
      },
    },
    select: { number: true },
  });
  await appendAudit(tx, ctx, {
    did: 'asked to roll back',
    what: `${await wordsOf(tx, input)}: ∆${number} waits for a second person, since it widens`,
    href: `/changes/${number}`,
    because: input.reason,
    outcome: 'emergency',
    after: { widens },
  });
  await notify(tx, 'changes', 'inbox', 'shell');
  return { release: null, change: number };
}

/** *undid r42 (∆30 Raise the limit)*, *returned everything to r41*. */
async function wordsOf(tx: Tx, { mode, number }: Input): Promise<string> {
  if (mode === 'return') return `returned everything to r${number}`;
  const release = await tx.release.findUnique({ where: { number }, select: { cause: true } });
  return `undid r${number} (${release?.cause ?? ''})`;
}

function recordOf({ mode, release, undoes, redoes }: RollbackRecord): RollbackRecord {
  return { mode, release, undoes, redoes };
}

function documentsOf(
  definitions: ForeseenRollback['from']['start'],
  edits: ForeseenRollback['edits'],
): Readonly<Record<string, unknown>> {
  const named = new Set(edits.map(({ kind, name }) => `${kind} ${name}`));
  return Object.fromEntries(
    definitions
      .map(({ kind, name, document }) => [`${kind} ${name}`, document] as const)
      .filter(([key]) => named.has(key)),
  );
}
