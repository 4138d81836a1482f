import 'server-only';
import { createHash } from 'node:crypto';
import type { Judgement } from '#server/compile/finding.ts';
import type { SlowSection } from '#server/contract/rules.ts';
import type { Database, Reader } from '#server/db/client.ts';
import { dbJsonValue } from '#server/db/json.ts';
import { notify } from '#server/db/notify.ts';

/** A result older than this is judged anew before anybody acts on it. */
const FRESH_MS = 15 * 60_000;
/** A running check whose process died is taken over after this. */
const LEASE_MS = 60_000;

/** One run of one slow check. */
export interface Run {
  readonly change: number;
  readonly section: SlowSection;
  readonly inputHash: string;
  readonly nowMs: number;
}

/** What a slow check judged: the edits, and the release they were laid over. */
export async function inputHashOf(db: Reader, change: { readonly contentHash: string }): Promise<string> {
  const release = await db.release.findFirst({
    orderBy: [{ epoch: 'desc' }, { number: 'desc' }],
    select: { sha256: true },
  });
  return createHash('sha256')
    .update(`${change.contentHash} ${release?.sha256 ?? ''}`)
    .digest('hex');
}

/** Those of a change's runs that `claim` would take now. One query for what is nearly always there already. */
export async function openRuns(db: Reader, runs: readonly Run[]): Promise<readonly Run[]> {
  const rows = await db.changeCheck.findMany({ where: { changeNumber: runs[0]?.change ?? 0 } });
  return runs.filter(({ section, inputHash, nowMs }) => {
    const row = rows.find((one) => one.section === section);
    if (row === undefined || row.inputHash !== inputHash) return true;
    if (row.state === 'running') return row.leaseUntil.getTime() < nowMs;
    const doneMs = row.finishedAt?.getTime() ?? 0;
    return row.state === 'done' ? doneMs < nowMs - FRESH_MS : doneMs < nowMs;
  });
}

/**
 * Takes a check for this process. False when its result is there and fresh, or when somebody is at it; what failed is
 * tried again by a later request. A run over other
 * content loses its row to this one and notices at its next part.
 */
export async function claim(db: Database, run: Run, parts: number): Promise<boolean> {
  const now = new Date(run.nowMs);
  const lease = new Date(run.nowMs + LEASE_MS);
  const taken = await db.$executeRaw`
    INSERT INTO change_check AS c (change_number, section, input_hash, state, progress, parts, summary, findings,
                                   started_at, lease_until)
    VALUES (${run.change}, ${run.section}, ${run.inputHash}, 'running', 0, ${parts}, '', '[]'::jsonb, ${now}, ${lease})
    ON CONFLICT (change_number, section) DO UPDATE SET
      findings = CASE WHEN c.input_hash = excluded.input_hash THEN c.findings ELSE excluded.findings END,
      summary = CASE WHEN c.input_hash = excluded.input_hash THEN c.summary ELSE excluded.summary END,
      input_hash = excluded.input_hash, state = 'running', progress = 0, parts = excluded.parts,
      started_at = excluded.started_at, lease_until = excluded.lease_until, finished_at = NULL
    WHERE c.input_hash <> excluded.input_hash
       OR (c.state = 'running' AND c.lease_until < ${now})
       OR (c.state = 'done' AND c.finished_at < ${new Date(run.nowMs - FRESH_MS)})
       OR (c.state = 'failed' AND c.finished_at < ${now})`;
  if (taken > 0) await tell(db);
  return taken > 0;
}

/** Notes that another part is judged. False when the run was overtaken by one over newer content: then it stops. */
export async function advance(db: Database, run: Run, progress: number): Promise<boolean> {
  const { count } = await db.changeCheck.updateMany({ where: mine(run), data: { progress } });
  return count > 0;
}

/** Keeps the result, unless the run was overtaken. */
export async function finish(db: Database, run: Run, { findings, summary }: Judgement): Promise<void> {
  await settle(db, run, { state: 'done', findings: dbJsonValue([...findings]), summary });
}

/** Keeps that the check could not run, and why. */
export async function fail(db: Database, run: Run, why: string): Promise<void> {
  await settle(db, run, { state: 'failed', findings: [], summary: why });
}

async function settle(
  db: Database,
  run: Run,
  result: { state: 'done' | 'failed'; findings: ReturnType<typeof dbJsonValue>; summary: string },
): Promise<void> {
  await db.changeCheck.updateMany({ where: mine(run), data: { ...result, finishedAt: new Date(run.nowMs) } });
  await tell(db);
}

function mine({ change, section, inputHash }: Run) {
  return { changeNumber: change, section, inputHash, state: 'running' };
}

function tell(db: Database): Promise<void> {
  return db.$transaction((tx) => notify(tx, 'changes'));
}
