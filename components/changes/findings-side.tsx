'use client';

import { useState } from 'react';
import { Sheet } from '#components/ui/dialog.tsx';
import { useNews } from '#components/ui/use-news.ts';
import type { ChangeDetail, Finding } from '#server/contract/changes.ts';
import type { Checks } from './use-checks.ts';
import { VerdictCard } from './verdict-card.tsx';
import { verdictTitle } from './verdict-sections.ts';

interface FindingsSideProps {
  readonly detail: ChangeDetail;
  readonly checks: Checks;
  readonly onJump: (finding: Finding) => void;
}

/**
 * The verdict at the right; where there is no room, a bar with its counts that opens it from below. Its counts are announced
 * here, once when they change: the card itself may stand on the page twice.
 */
export function FindingsSide({ detail, checks, onJump }: FindingsSideProps) {
  const [isOpen, setOpen] = useState(false);
  const title = verdictTitle(detail, checks);
  // A published change is judged no more, so its verdict is no news.
  useNews(checks.isRunning || detail.row.release !== null ? undefined : title, { saysFirst: true });
  return (
    <>
      <aside aria-label="Findings" className="max-wide:hidden">
        <div className="sticky top-16 min-h-24 border-line border-l pl-4">
          <VerdictCard detail={detail} checks={checks} onJump={onJump} />
        </div>
      </aside>
      <div className="sticky bottom-[calc(3.25rem+env(safe-area-inset-bottom))] z-10 -mx-4 border-line border-t bg-surface px-4 desk:bottom-0 desk:col-span-2 wide:hidden">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="flex min-h-11 w-full items-center justify-between"
        >
          <span className="font-medium">{title}</span>
          <span className="text-accent">Show findings</span>
        </button>
      </div>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title="Findings">
        <VerdictCard
          detail={detail}
          checks={checks}
          onJump={(finding) => {
            setOpen(false);
            onJump(finding);
          }}
        />
      </Sheet>
    </>
  );
}
