'use client';

import { useState } from 'react';
import { ConsoleError, messageOf } from '#components/api-client.ts';
import { Button } from '#components/ui/button.tsx';
import type { MenuItem } from '#components/ui/menu-item.ts';
import { MoreMenu } from '#components/ui/more-menu.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { isClosedState } from './closed-state.ts';
import { countFindings } from './find-findings.ts';
import { type MainAct, mainActOf } from './main-act.ts';
import { PublishDialog } from './publish-dialog.tsx';
import { useChangeAct } from './queries.ts';
import { RefreshDialog } from './refresh-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import type { Checks } from './use-checks.ts';
import type { Drafts } from './use-drafts.ts';

interface ChangeActsProps {
  readonly detail: ChangeDetail;
  readonly drafts: Drafts;
  readonly checks: Checks;
  /** Somebody tried to move it on: from now on every finding stands beside its field. */
  readonly onAttempt: () => void;
}

/** The main act of a change (⌘Enter does it) and the others behind ⋯. An act that is not yours says why. */
export function ChangeActs({ detail, drafts, checks, onAttempt }: ChangeActsProps) {
  const { number } = detail.row;
  const act = useChangeAct(number);
  const [asking, setAsking] = useState<'review' | 'publish'>();
  const [overlaps, setOverlaps] = useState<Readonly<Record<string, string>>>();
  const main = mainActOf(detail);
  const why = main === undefined ? undefined : whyNot(main, drafts, checks);
  const askOverlaps = (error: Error) => {
    if (error instanceof ConsoleError && Object.keys(error.fields).length > 0) setOverlaps(error.fields);
  };
  const run = () => {
    onAttempt();
    if (main === undefined || why !== undefined || act.isPending) return;
    if (main.act === 'review' || main.act === 'publish') setAsking(main.act);
    else if (main.act === 'refresh') act.mutate({ act: 'refresh', choices: {} }, { onError: askOverlaps });
    else act.mutate({ act: main.act });
  };
  useShortcuts(main === undefined ? [] : [{ keys: 'mod+enter', label: main.words, run }]);
  const items = menuItems(detail, (which) => act.mutate({ act: which }));
  return (
    <div className="grid gap-1 desk:justify-items-end">
      <div className="flex flex-wrap items-center gap-2">
        <SaveState drafts={drafts} mayEdit={detail.may.edit.may} />
        {main !== undefined && (
          <Button look="primary" disabledWhy={why} pending={act.isPending && asking === undefined} onClick={run}>
            {main.words}
          </Button>
        )}
        <MoreMenu label="More acts" items={items} />
      </div>
      {act.isError && overlaps === undefined && (
        <p role="alert" className="max-w-96 text-danger text-meta desk:text-right">
          {messageOf(act.error)}
        </p>
      )}
      {asking === 'review' && <ReviewDialog detail={detail} onClose={() => setAsking(undefined)} />}
      {overlaps !== undefined && (
        <RefreshDialog number={number} overlaps={overlaps} onClose={() => setOverlaps(undefined)} />
      )}
      {asking === 'publish' && <PublishDialog detail={detail} onClose={() => setAsking(undefined)} />}
    </div>
  );
}

/** Why the main act cannot be done now: whose it is, what blocks, or what is still being saved. */
function whyNot(main: MainAct, drafts: Drafts, checks: Checks): string | undefined {
  if (!main.possible.may) return main.possible.why;
  if (main.act === 'refresh' || main.act === 'unqueue') return undefined;
  if ([...drafts.book.values()].some((draft) => draft.conflicts.length > 0 || draft.isOrphan))
    return 'Choose between the two versions first.';
  if (!drafts.isSaved)
    return drafts.problem === undefined ? 'Saving what you typed.' : 'What you typed is not saved yet.';
  const { errors } = countFindings(checks.findings);
  if (errors > 0)
    return `${errors === 1 ? 'One finding blocks' : `${errors} findings block`} it; see the list of findings.`;
  return undefined;
}

function menuItems(detail: ChangeDetail, run: (act: 'withdraw' | 'abandon') => void): readonly MenuItem[] {
  const { state } = detail.row;
  const items: MenuItem[] = [];
  if (state === 'in review' || state === 'approved')
    items.push({ label: 'Take back to draft', onSelect: () => run('withdraw') });
  // Of a closed change nobody can, so that it says nothing.
  if (!isClosedState(state) || detail.may.abandon.may) {
    items.push({
      label: 'Abandon the change',
      danger: true,
      disabledWhy: detail.may.abandon.may ? undefined : detail.may.abandon.why,
      onSelect: () => run('abandon'),
    });
  }
  return items;
}

function SaveState({ drafts, mayEdit }: { readonly drafts: Drafts; readonly mayEdit: boolean }) {
  if (!mayEdit || drafts.book.size === 0) return null;
  if (drafts.problem !== undefined) {
    return (
      <span role="alert" className="flex flex-wrap items-center gap-1 text-danger text-meta">
        Not saved: {drafts.problem.message} What you typed is kept in this tab.
        <Button look="quiet" onClick={drafts.retry}>
          Save again
        </Button>
      </span>
    );
  }
  return <span className="text-ink-3 text-meta">{drafts.isSaved ? 'Saved' : 'Saving'}</span>;
}
