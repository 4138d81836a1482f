import 'server-only';
import type { z } from 'zod';
import { type DraftEdit, keyOf } from '#server/compile/model.ts';
import type { Ctx } from '#server/context.ts';
import { Edit } from '#server/contract/changes.ts';
import { compareVersions } from '#server/contract/gateway-state.ts';
import { type RollbackPreview, RollbackQuery } from '#server/contract/rollouts.ts';
import type { Reader } from '#server/db/client.ts';
import { readStandings } from '#server/db/gateway-standing.ts';
import { MIN_GATEWAY_VERSION } from '#server/publication/build-release.ts';
import { readEndedRollout } from '#server/publication/ended-rollout.ts';
import { type ForeseenRollback, foreseeRollback } from './foresee-rollback.ts';
import { ReleasePath } from './read-release.ts';

export const RollbackPreviewInput = RollbackQuery.extend(ReleasePath.shape);

/**
 * GET /api/releases/{number}/rollback: what a rollback would do, which releases it undoes, what it would newly allow, and
 * which gateways could not run it. Readable by everybody signed in; `possible` says who may do it.
 */
export async function previewRollback(
  ctx: Ctx,
  { number, mode }: z.infer<typeof RollbackPreviewInput>,
): Promise<RollbackPreview> {
  const { db } = ctx;
  const seen = await foreseeRollback(db, ctx, { mode, release: number });
  const { from, plan, edits, compiled, widens, newest, possible } = seen;
  return {
    mode,
    release: number,
    newest,
    possible: { may: possible.may, why: possible.why },
    edits: edits.map((edit) => editFrom(edit, from.surroundings.published)),
    findings: [...compiled.findings],
    effects: [...compiled.effects],
    widens: [...widens],
    undoes: await readUndone(db, plan.undoes),
    ends: plan.undoes.includes(from.rollout?.releaseNumber ?? 0) ? null : await readEndedRollout(db, from),
    cannotRun: await readCannotRun(db, { mode, number, nowMs: ctx.nowMs }),
  };
}

/** An edit of what is published, as pages take it. */
export function editFrom(
  { kind, name, document }: DraftEdit,
  published: ForeseenRollback['from']['surroundings']['published'],
): Edit {
  const base = published.find((definition) => keyOf(definition) === keyOf({ kind, name }))?.document ?? null;
  const act = document === null ? 'remove' : base === null ? 'add' : 'edit';
  return Edit.parse({ kind, name, act, document, base, baseRevision: 0, version: 1 });
}

async function readUndone(db: Reader, numbers: readonly number[]): Promise<RollbackPreview['undoes']> {
  const releases = await db.release.findMany({
    where: { number: { in: [...numbers] } },
    select: { number: true, changeNumber: true, cause: true, byId: true, byName: true, createdAt: true },
    orderBy: { number: 'desc' },
  });
  return releases.map(({ number, changeNumber, cause, byId, byName, createdAt }) => ({
    release: number,
    change: changeNumber,
    cause,
    by: { id: byId, name: byName },
    atMs: createdAt.getTime(),
  }));
}

/** Too old for what this console writes, or known to have rejected the very release that is returned to. */
async function readCannotRun(
  db: Reader,
  { mode, number, nowMs }: { readonly mode: string; readonly number: number; readonly nowMs: number },
): Promise<RollbackPreview['cannotRun']> {
  const { gateways } = await readStandings(db, nowMs);
  const rejected =
    mode === 'return'
      ? await db.gatewayAck.findMany({ where: { number, state: 'rejected' }, orderBy: { gateway: 'asc' } })
      : [];
  return gateways.flatMap(({ name, row }) => {
    if (compareVersions(row.version, MIN_GATEWAY_VERSION) < 0) {
      return { gateway: name, why: `it is build ${row.version} and needs ${MIN_GATEWAY_VERSION}` };
    }
    const ack = rejected.find(({ gateway }) => gateway === name);
    return ack === undefined
      ? []
      : { gateway: name, why: `it rejected r${number}: ${ack.reason ?? 'no reason given'}` };
  });
}
