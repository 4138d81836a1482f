import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { Possible } from '#server/contract/changes.ts';
import type { RollbackOf } from '#server/contract/rollouts.ts';
import { ServerError } from '#server/contract/server-error.ts';
import type { Reader } from '#server/db/client.ts';
import { planRollback, type RollbackPlan } from '#server/publication/plan-rollback.ts';
import { foreseen, wideningOf } from '#server/publication/publish-narrowing.ts';
import { differing, overlay, readStartingPoint, type StartingPoint } from '#server/publication/starting-point.ts';
import { mayRollBack } from './rollback-rights.ts';

/** Everything that a rollback would be, from this moment's definitions. */
export interface ForeseenRollback {
  readonly from: StartingPoint;
  readonly plan: RollbackPlan;
  /** What differs from the newest definitions in the end. */
  readonly edits: ReturnType<typeof differing>;
  readonly compiled: ReturnType<typeof foreseen>;
  readonly widens: readonly string[];
  readonly newest: number;
  readonly possible: Possible & { readonly code: 'not_permitted' | 'wrong_state' | 'blocked_by_findings' | null };
}

/** Reads and reckons; changes nothing. Refuses with `not_found`. */
export async function foreseeRollback(db: Reader, ctx: Ctx, of: RollbackOf): Promise<ForeseenRollback> {
  const release = await db.release.findUnique({
    where: { number: of.release },
    select: { number: true, byId: true, approvedById: true, changeNumber: true, undoneBy: true },
  });
  if (release === null) throw new ServerError('not_found', { publicMessage: `There is no release r${of.release}.` });
  const newest = await db.release.findFirst({ orderBy: { number: 'desc' }, select: { number: true } });
  const from = await readStartingPoint(db, ctx.nowMs);
  const plan = await planRollback(db, of, from);
  const edits = differing(from.surroundings.published, overlay(from.restore, plan.edits));
  const compiled = foreseen(from, plan.edits);
  const change =
    release.changeNumber === null
      ? null
      : await db.change.findUnique({ where: { number: release.changeNumber }, select: { authorId: true } });
  const right = mayRollBack(ctx.actor, of.mode, { ...release, authorId: change?.authorId ?? null });
  const obstacle = obstacleOf({ of, plan, edits, undoneBy: release.undoneBy, findings: compiled.findings });
  const possible = right.may ? obstacle : { ...right, code: 'not_permitted' as const };
  const widens = obstacle.may ? wideningOf(from, plan.edits) : [];
  return { from, plan, edits, compiled, widens, newest: newest?.number ?? 0, possible };
}

function obstacleOf(about: {
  readonly of: RollbackOf;
  readonly plan: RollbackPlan;
  readonly edits: ForeseenRollback['edits'];
  readonly undoneBy: number | null;
  readonly findings: ForeseenRollback['compiled']['findings'];
}): ForeseenRollback['possible'] {
  const { of, plan, edits, undoneBy, findings } = about;
  const no = (code: 'wrong_state' | 'blocked_by_findings', why: string) => ({ may: false, why, code });
  if (of.mode === 'undo' && of.release === 1)
    return no('wrong_state', 'r1 is the first release; nothing was before it.');
  if (of.mode === 'undo' && undoneBy !== null) return no('wrong_state', `r${of.release} was undone by r${undoneBy}.`);
  if (plan.stuck.length > 0) {
    return no('blocked_by_findings', `${plan.stuck.join(' ')} Return everything to an earlier release instead.`);
  }
  if (edits.length === 0) {
    const why =
      of.mode === 'undo'
        ? `r${of.release} changed no definition that still differs; there is nothing to undo.`
        : `Every definition is as r${of.release} has it.`;
    return no('wrong_state', why);
  }
  const error = findings.find(({ severity }) => severity === 'error');
  if (error !== undefined) return no('blocked_by_findings', `${error.name}: ${error.message}`);
  return { may: true, why: '', code: null };
}
