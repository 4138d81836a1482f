import 'server-only';
import { setTimeout as wait } from 'node:timers/promises';
import type { Ctx } from '#server/context.ts';
import { readStoredChange } from '#server/db/changes.ts';
import { inputHashOf } from './claim-check.ts';
import { runChecks } from './run-checks.ts';

/** An act waits so long for checks that run; what is not done by then is a finding. */
const PATIENCE_MS = 8_000;
const LOOK_EVERY_MS = 100;

/** Runs of this process by change, so that nobody starts a second one beside the first. */
const running = new Map<number, Promise<void>>();

/** Starts the slow checks of a change, if they have to run at all, and returns at once. */
export function startChecks({ db, nowMs }: Pick<Ctx, 'db' | 'nowMs'>, number: number): Promise<void> {
  const known = running.get(number);
  if (known !== undefined) return known;
  const run = runChecks(db, number, nowMs).finally(() => running.delete(number));
  running.set(number, run);
  return run;
}

/**
 * Waits until every slow check of a change has a result for its content of this moment, for a few seconds at most. For
 * acts that depend on them; to be called before their transaction.
 */
export async function settleChecks(ctx: Pick<Ctx, 'db' | 'nowMs'>, number: number): Promise<void> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  const patience = wait(PATIENCE_MS, undefined, { ref: false });
  // A run that was begun for older content ends first; the second look then starts one for this content.
  await Promise.race([startChecks(ctx, number).then(() => startChecks(ctx, number)), patience]);
  while (!deadline.aborted && (await isRunning(ctx, number))) await wait(LOOK_EVERY_MS);
}

/** Whether another process is still at one of them. */
async function isRunning({ db }: Pick<Ctx, 'db'>, number: number): Promise<boolean> {
  const inputHash = await inputHashOf(db, await readStoredChange(db, number));
  return (await db.changeCheck.count({ where: { changeNumber: number, inputHash, state: 'running' } })) > 0;
}
