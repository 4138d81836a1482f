import 'server-only';
import { check } from '#server/compile/compile.ts';
import type { Judgement } from '#server/compile/finding.ts';
import type { CheckResult, DraftEdit } from '#server/compile/model.ts';
import { finishedEdits, type Touched, touchedBy } from '#server/compile/touched.ts';
import { SLOW_SECTIONS } from '#server/contract/rules.ts';
import { readStoredChange } from '#server/db/changes.ts';
import type { Database } from '#server/db/client.ts';
import { draftOf } from '#server/publication/draft-of.ts';
import { loadCheckInput } from '#server/publication/load-definitions.ts';
import { advance, claim, fail, finish, inputHashOf, openRuns, type Run } from './claim-check.ts';
import { planOf } from './gather.ts';

/**
 * Runs the slow checks of a change whose results are missing, old, or of other content, and keeps what they find out. Those
 * that somebody else is at are left to them. Resolves when its own are done; a check that could not run is kept as such.
 */
export async function runChecks(db: Database, number: number, nowMs: number): Promise<void> {
  const change = await readStoredChange(db, number);
  if (change.edits.length === 0) return;
  const inputHash = await inputHashOf(db, change);
  const runs = SLOW_SECTIONS.map((section): Run => ({ change: number, section, inputHash, nowMs }));
  const wanted = await openRuns(db, runs);
  if (wanted.length === 0) return;
  const subject = await subjectOf(db, change.edits.map(draftOf));
  for (const run of wanted) await runOne(db, run, subject);
}

interface Subject {
  readonly touched: Touched;
  readonly checked: CheckResult;
  /** Unfinished edits: nothing can be said of them yet. */
  readonly leftOut: number;
}

async function subjectOf(db: Database, edits: readonly DraftEdit[]): Promise<Subject> {
  const input = await loadCheckInput(db, edits);
  const finished = finishedEdits(edits, check(input));
  const checked = check({ ...input, edits: finished });
  return { touched: touchedBy(finished, checked), checked, leftOut: edits.length - finished.length };
}

async function runOne(db: Database, run: Run, { leftOut, ...subject }: Subject): Promise<void> {
  const plan = planOf(run.section, { db, nowMs: run.nowMs, ...subject });
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
