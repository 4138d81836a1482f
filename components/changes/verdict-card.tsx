'use client';

import { messageOf } from '#components/api-client.ts';
import { findingCountBrief } from '#components/ui/finding.tsx';
import { Mark } from '#components/ui/mark.tsx';
import { Time } from '#components/ui/time.tsx';
import type { ChangeDetail, Finding } from '#server/contract/changes.ts';
import { countFindings } from './find-findings.ts';
import { FindingItem } from './finding-item.tsx';
import type { Checks } from './use-checks.ts';
import {
  progressWords,
  SECTION_WORDS,
  type VerdictSection,
  verdictSections,
  verdictTitle,
} from './verdict-sections.ts';

interface VerdictCardProps {
  readonly detail: ChangeDetail;
  readonly checks: Checks;
  readonly onJump: (finding: Finding) => void;
}

/**
 * The verdict of a change on one card: every part with its counts, how far the slow ones are, and all findings at once, each
 * leading to its field.
 */
export function VerdictCard({ detail, checks, onJump }: VerdictCardProps) {
  const { findings, isRunning, isFirst, error } = checks;
  const sections = verdictSections(findings, checks.checks);
  const text = verdictTitle(detail, checks);
  if (checks.isEmpty) return <p className="text-ink-2">{text}</p>;
  // Every open change has checks, if only those of each look.
  if (checks.checks.length === 0 && detail.edits.length > 0 && !isRunning && error === undefined)
    return <p className="text-ink-2">{closedWords(detail)}</p>;
  const done = checks.checks.filter(({ state }) => state === 'done' || state === 'failed').length;
  return (
    <div className="grid content-start gap-3">
      <p className="flex min-h-5 flex-wrap items-baseline gap-x-2 font-medium">
        {isFirst && findings.length === 0 ? 'Checking' : text}
        {isRunning && !isFirst && <span className="font-normal text-ink-3 text-meta">checking</span>}
        {done < checks.checks.length && (
          <span className="font-normal text-ink-3 text-meta">
            {done} of {checks.checks.length} checks done; you may leave this page
          </span>
        )}
      </p>
      {error !== undefined && (
        <p className="flex gap-2 text-warn">
          <Mark kind="dashed" className="mt-1" />
          The checks could not run: {messageOf(error)} What stands here is of an earlier state.
        </p>
      )}
      {checks.isSlowOutdated && (
        <p className="text-ink-2">
          Live data, traffic and cost are of what was saved last; they follow once you pause.
        </p>
      )}
      <ul aria-label="Parts of the verdict" className="divide-y divide-line border-line border-y">
        {sections.map((one) => (
          <li key={one.section} className="grid gap-2 py-2">
            <SectionHead {...one} isFirst={isFirst} />
            {one.findings.length > 0 && (
              <ul className="grid gap-3 pb-1">
                {one.findings.map((finding) => (
                  <li key={`${finding.kind}/${finding.name} ${finding.path} ${finding.code} ${finding.message}`}>
                    <FindingItem detail={detail} finding={finding} onJump={onJump} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A closed change without a kept verdict: nothing checks it any more. */
function closedWords({ row }: ChangeDetail): string {
  return row.release === null
    ? 'It is closed, so nothing checks it any more.'
    : 'No verdict was kept when it was published, and nothing checks it any more.';
}

function SectionHead({ section, check, findings, isFirst }: VerdictSection & { readonly isFirst: boolean }) {
  const { errors, warnings } = countFindings(findings);
  const going = progressWords({ section, check }) ?? (isFirst && check === undefined ? 'checking' : undefined);
  const notes = findings.length - errors - warnings;
  return (
    <div className="grid gap-0.5">
      <p className="flex items-baseline justify-between gap-3">
        <span className="inline-flex items-baseline gap-1.5 font-medium">
          <SectionMark going={going} errors={errors} warnings={warnings} />
          {SECTION_WORDS[section]}
        </span>
        <span className="text-ink-3 text-meta">{going ?? countWords({ errors, warnings, notes })}</span>
      </p>
      {check !== undefined && check.summary !== '' && (
        <p className="text-ink-2 text-meta">
          {check.summary}
          {check.atMs !== null && (
            <>
              {' '}
              <Time ms={check.atMs} style="ago" className="text-ink-3" />
            </>
          )}
        </p>
      )}
    </div>
  );
}

function SectionMark({ going, errors, warnings }: { going: string | undefined; errors: number; warnings: number }) {
  if (errors > 0) return <Mark kind="square" className="translate-y-px text-danger" />;
  if (going === 'could not run') return <Mark kind="cross" className="translate-y-px text-warn" />;
  if (going !== undefined) return <Mark kind="dashed" className="translate-y-px text-ink-3" />;
  return warnings > 0 ? (
    <Mark kind="triangle" className="translate-y-px text-warn" />
  ) : (
    <Mark kind="check" className="translate-y-px text-ok" />
  );
}

function countWords({ errors, warnings, notes }: { errors: number; warnings: number; notes: number }): string {
  if (errors + warnings > 0) return findingCountBrief({ errors, warnings });
  if (notes === 0) return 'nothing found';
  return notes === 1 ? '1 note' : `${notes} notes`;
}
