import 'server-only';
import { z } from 'zod';
import { Check, PolicyTestResult } from '#server/contract/changes.ts';
import { Effect } from '#server/contract/effect.ts';
import type { Reader } from '#server/db/client.ts';
import { StoredFinding } from './stored-finding.ts';

/** The verdict of a change as kept with it when it is published. */
export const KeptVerdict = z.object({
  findings: z.array(StoredFinding),
  effects: z.array(Effect),
  checks: z.array(Check),
  tests: z.array(PolicyTestResult).default([]),
});
export type KeptVerdict = z.infer<typeof KeptVerdict>;

/** What a change was published with; null when it never was, or before verdicts were kept. */
export async function readKept(db: Reader, number: number): Promise<KeptVerdict | null> {
  const row = await db.change.findUnique({ where: { number }, select: { verdict: true } });
  return row === null || row.verdict === null ? null : KeptVerdict.parse(row.verdict);
}

/** A verdict for keeping: a check without a result never gets one any more. */
export function settled(verdict: KeptVerdict): KeptVerdict {
  return {
    ...verdict,
    checks: verdict.checks.map((check) =>
      check.state === 'done' || check.state === 'failed'
        ? check
        : { ...check, state: 'failed', summary: 'It had no result when the change was published.' },
    ),
  };
}
