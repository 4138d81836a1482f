'use client';

import { useEffect } from 'react';
import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Finding, findingCountText } from '#components/ui/finding.tsx';
import { Mark } from '#components/ui/mark.tsx';
import type { Finding as FindingOf } from '#server/contract/changes.ts';
import { countFindings, fieldPath } from './find-findings.ts';
import type { Checks } from './use-checks.ts';

interface FindingsPanelProps {
  readonly checks: Checks;
  readonly onJump: (finding: FindingOf) => void;
}

const ORDER = { error: 0, warning: 1, info: 2 } as const;

/** All findings of a change at once, what blocks first; each leads to its field. Counts are announced politely. */
export function FindingsPanel({ checks, onJump }: FindingsPanelProps) {
  const { findings, isRunning, isFirst, error } = checks;
  const text = findingCountText(countFindings(findings));
  const { announce } = useAnnouncer();
  useEffect(() => {
    if (!isRunning) announce(text);
  }, [text, isRunning, announce]);
  const ordered = [...findings].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  return (
    <div className="grid content-start gap-3">
      <p className="flex min-h-5 items-baseline gap-2 font-medium">
        {isFirst && findings.length === 0 ? 'Checking' : text}
        {isRunning && !isFirst && <span className="font-normal text-ink-3 text-meta">checking</span>}
      </p>
      {error !== undefined && (
        <p className="flex gap-2 text-warn">
          <Mark kind="dashed" className="mt-1" />
          The checks could not run: {messageOf(error)} What stands here is of an earlier state.
        </p>
      )}
      <ul className="grid gap-3">
        {ordered.map((finding) => (
          <li key={`${finding.kind}/${finding.name} ${finding.path} ${finding.code} ${finding.message}`}>
            <Finding
              severity={finding.severity}
              code={finding.code}
              example={finding.example}
              place={
                <button
                  type="button"
                  onClick={() => onJump(finding)}
                  className="min-h-6 rounded-cell border-line border-b font-mono hover:border-accent hover:text-accent"
                >
                  {finding.name}
                  {fieldPath(finding.path) !== '' && ` · ${fieldPath(finding.path)}`}
                </button>
              }
            >
              {finding.message}
            </Finding>
          </li>
        ))}
      </ul>
    </div>
  );
}
