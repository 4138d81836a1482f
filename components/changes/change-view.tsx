'use client';

import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { QueryView } from '#components/ui/query-view.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { ChangeDetail, Finding } from '#server/contract/changes.ts';
import { AddEditDialog } from './add-edit-dialog.tsx';
import { ChangeCentre } from './change-centre.tsx';
import { ChangeHead } from './change-head.tsx';
import { draftKey, typeInto } from './draft-book.ts';
import { EditList } from './edit-list.tsx';
import { fieldPath } from './find-findings.ts';
import { FindingsSide } from './findings-side.tsx';
import { changeQuery } from './queries.ts';
import { useChangeUrl } from './use-change-url.ts';
import { useChecks } from './use-checks.ts';
import { draftAt, useDrafts } from './use-drafts.ts';
import { useStateNews } from './use-state-news.ts';

/** One change: edits left, form, diff, effect and spine in the centre, findings right. */
export function ChangeView({ number }: { readonly number: number }) {
  const query = useQuery(changeQuery(number));
  return (
    <QueryView query={query} label={`∆${number}`}>
      {(detail) => <Change detail={detail} />}
    </QueryView>
  );
}

function Change({ detail }: { readonly detail: ChangeDetail }) {
  const drafts = useDrafts(detail);
  const checks = useChecks(detail, drafts.book);
  useStateNews(detail);
  const url = useChangeUrl();
  const search = useSearchParams();
  const [isAttempted, setAttempted] = useState(false);
  const open = draftAt(drafts.book, url.edit);
  const openKey = open === undefined ? undefined : draftKey(open.kind, open.name);
  const adding = detail.may.edit.may ? search.get('add') : null;
  useShortcuts(
    detail.may.edit.may ? [{ keys: 'n', label: 'Add an edit', run: () => url.set({ add: 'objectType' }) }] : [],
  );
  const jump = (finding: Finding) => {
    setAttempted(true);
    url.set({ edit: draftKey(finding.kind, finding.name), tab: undefined });
    focusField(draftKey(finding.kind, finding.name), fieldPath(finding.path));
  };
  return (
    <>
      <ChangeHead detail={detail} drafts={drafts} checks={checks} onAttempt={() => setAttempted(true)} />
      <div className="grid gap-6 max-wide:[&_:is(input,select,textarea,button,a)]:scroll-mb-28 desk:grid-cols-[13rem_minmax(0,1fr)] wide:grid-cols-[14rem_minmax(0,1fr)_20rem]">
        <EditList
          detail={detail}
          book={drafts.book}
          findings={checks.findings}
          openKey={openKey}
          onOpen={(key) => url.set({ edit: key })}
          onAdd={() => url.set({ add: 'objectType' })}
        />
        <ChangeCentre
          detail={detail}
          drafts={drafts}
          checks={checks}
          open={open}
          showsAll={isAttempted}
          onOpen={(key) => url.set({ edit: key })}
          onAdd={() => url.set({ add: 'objectType' })}
        />
        <FindingsSide detail={detail} checks={checks} onJump={jump} />
      </div>
      {adding !== null && (
        <AddEditDialog
          book={drafts.book}
          initialKind={DefinitionKind.catch('objectType').parse(adding)}
          forName={search.get('for') ?? ''}
          onClose={() => url.set({ add: undefined, for: undefined })}
          onAdd={({ kind, name, document, base }) => {
            drafts.update((now) => typeInto(now, { kind, name, document, base }));
            url.set({ add: undefined, edit: draftKey(kind, name), tab: undefined });
          }}
        />
      )}
    </>
  );
}

/** A form that is not on the page after this many frames is not coming. */
const MAX_FRAMES = 120;

/** Puts the focus into a field once the form of its edit is on the page, however many frames that takes. */
function focusField(key: string, path: string, framesLeft = MAX_FRAMES): void {
  requestAnimationFrame(() => {
    const form = document.querySelector(`[data-edit="${CSS.escape(key)}"]`);
    const row = form?.querySelector(`[data-path="${CSS.escape(path === '' ? 'name' : path)}"]`);
    const control =
      row?.querySelector<HTMLElement>('input, textarea, select') ?? row?.querySelector<HTMLElement>('button');
    if (control !== null && control !== undefined) control.focus();
    else if (framesLeft > 0) focusField(key, path, framesLeft - 1);
  });
}
