import 'server-only';
import { check } from '#server/compile/compile.ts';
import type { Judgement } from '#server/compile/finding.ts';
import type { DraftEdit } from '#server/compile/model.ts';
import { finishedEdits, touchedBy } from '#server/compile/touched.ts';
import { SLOW_SECTIONS } from '#server/contract/rules.ts';
import { readStoredChange } from '#server/db/changes.ts';
import type { Database } from '#server/db/client.ts';
import { draftOf } from '#server/publication/draft-of.ts';
import { loadCheckInput } from '#server/publication/load-definitions.ts';
import { advance, claim, fail, finish, inputHashOf, type Run } from './claim-check.ts';
import { type Plan, planOf } from './gather.ts';

/**
 * Runs the slow checks of a change whose results are missing, old, or of other content, and keeps what they find out. Those
 * that somebody else is at are left to them. Resolves when its own are done; a check that could not run is kept as such.
 */
export async function runChecks(db: Database, number: number, nowMs: number): Promise<void> {
  const change = await readStoredChange(db, number);
  if (change.edits.length === 0) return;
  const inputHash = await inputHashOf(db, change);
  const edits = change.edits.map(draftOf);
  for (const section of SLOW_SECTIONS) {
    await runOne(db, { change: number, section, inputHash, nowMs }, edits);
  }
}

async function runOne(db: Database, run: Run, edits: readonly DraftEdit[]): Promise<void> {
  const { plan, leftOut } = await planFor(db, run, edits);
  if (!(await claim(db, run, plan.parts.length))) return;
  try {
    for (const [index, part] of plan.parts.entries()) {
      await part();
      if (!(await advance(db, run, index + 1))) return;
    }
    await finish(db, run, withLeftOut(plan.judge(), leftOut));
  } catch (error) {
    console.error(`the ${run.section} check of ∆${run.change} could not run: ${messageOf(error)}`);
    await fail(db, run, reasonOf(error));
  }
}

async function planFor(
  db: Database,
  { section, nowMs }: Run,
  edits: readonly DraftEdit[],
): Promise<{ readonly plan: Plan; readonly leftOut: number }> {
  const input = await loadCheckInput(db, edits);
  const finished = finishedEdits(edits, check(input));
  const checked = check({ ...input, edits: finished });
  const touched = touchedBy(finished, checked);
  return { plan: planOf(section, { db, touched, checked, nowMs }), leftOut: edits.length - finished.length };
}

function withLeftOut({ findings, summary }: Judgement, leftOut: number): Judgement {
  if (leftOut === 0) return { findings, summary };
  const who = leftOut === 1 ? 'One unfinished edit is' : `${leftOut} unfinished edits are`;
  return { findings, summary: `${summary} ${who} left out.` };
}

/** What a person can make of a fault of the database; the log has the rest. */
function reasonOf(error: unknown): string {
  return /statement timeout/.test(messageOf(error))
    ? 'The records of traffic took longer to read than a check may take.'
    : 'The records of traffic could not be read.';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
