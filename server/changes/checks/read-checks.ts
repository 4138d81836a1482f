import 'server-only';
import { z } from 'zod';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { SLOW_SECTIONS, type SlowSection } from '#server/contract/rules.ts';
import type { StoredChange } from '#server/db/changes.ts';
import type { Reader } from '#server/db/client.ts';
import { inputHashOf } from './claim-check.ts';
import { StoredFinding } from './stored-finding.ts';

type Check = ChangeDetail['checks'][number];

export interface SlowResults {
  readonly checks: readonly Check[];
  readonly findings: readonly StoredFinding[];
}

/**
 * The slow checks of a change as they stand for its content of this moment. `isActing`: somebody is about to act on them,
 * so one without a result is a finding, as one that could not run always is.
 */
export async function readSlowChecks(db: Reader, change: StoredChange, isActing: boolean): Promise<SlowResults> {
  const inputHash = await inputHashOf(db, change);
  const rows = await db.changeCheck.findMany({ where: { changeNumber: change.number, inputHash } });
  const results = SLOW_SECTIONS.map((section): SlowResults => {
    const row = rows.find((one) => one.section === section);
    const check = row === undefined ? waiting(section) : checkOf(section, row);
    const found = row === undefined ? [] : z.array(StoredFinding).parse(row.findings);
    const isMissing = check.state === 'failed' || (isActing && check.state !== 'done');
    const missing = isMissing ? incomplete(change, check) : [];
    return { checks: [check], findings: [...found, ...missing].map((finding) => ({ ...finding, section })) };
  });
  return {
    checks: results.flatMap(({ checks }) => checks),
    findings: results.flatMap(({ findings }) => findings),
  };
}

function waiting(section: SlowSection): Check {
  return { section, state: 'waiting', summary: '', progress: 0, parts: 0, atMs: null };
}

type Row = Awaited<ReturnType<Reader['changeCheck']['findMany']>>[number];

function checkOf(section: SlowSection, { state, summary, progress, parts, finishedAt }: Row): Check {
  return {
    section,
    state: z.enum(['running', 'done', 'failed']).parse(state),
    summary,
    progress,
    parts,
    atMs: finishedAt?.getTime() ?? null,
  };
}

/** A check without a result: what it would have said of a removal nobody can undo in time, so that blocks. */
function incomplete({ edits }: StoredChange, { section, state, summary }: Check): readonly StoredFinding[] {
  const removals = edits.filter(({ document }) => document === null);
  const why = state === 'failed' ? summary : 'It is still running.';
  return (removals.length > 0 ? removals : edits.slice(0, 1)).map(({ kind, name, document }) =>
    StoredFinding.parse({
      code: 'check_incomplete',
      severity: document === null ? 'error' : 'warning',
      kind,
      name,
      path: '',
      message: `The check of ${section} has no result. ${why}`,
    }),
  );
}
