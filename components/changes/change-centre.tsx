'use client';

import { useSearchParams } from 'next/navigation';
import { EditDiffs } from '#components/definitions/edit-diffs.tsx';
import { spineEntries } from '#components/definitions/spine-entries.tsx';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Spine } from '#components/ui/spine.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import type { ChangeDetail } from '#server/contract/changes.ts';
import { CallIt } from './call-it.tsx';
import { DefinitionForm } from './definition-form.tsx';
import { actOf, type Draft, draftKey } from './draft-book.ts';
import { EffectSummary } from './effect-summary.tsx';
import { Reviews } from './reviews.tsx';
import type { Checks } from './use-checks.ts';
import type { Drafts } from './use-drafts.ts';

interface ChangeCentreProps {
  readonly detail: ChangeDetail;
  readonly drafts: Drafts;
  readonly checks: Checks;
  readonly open: Draft | undefined;
  readonly showsAll: boolean;
  readonly onOpen: (key: string | undefined) => void;
  readonly onAdd: () => void;
}

const FORM: Tab = { value: 'form', label: 'Form' };
const DIFF: Tab = { value: 'diff', label: 'Diff' };
const EFFECT: Tab = { value: 'effect', label: 'Effect' };
const SPINE: Tab = { value: 'spine', label: 'Spine' };

/** The centre of a change. It opens on what is next: the form while it is written, effect when it is reviewed, then the spine. */
export function ChangeCentre(props: ChangeCentreProps) {
  const { detail } = props;
  const tabs = tabsOf(detail);
  const tab = useTab(tabs);
  return (
    <div className="min-w-0">
      <Tabs label="Views of this change" tabs={tabs} className="mb-4" />
      <TabBody {...props} tab={tab} />
    </div>
  );
}

function tabsOf(detail: ChangeDetail): readonly [Tab, ...Tab[]] {
  if (detail.row.release !== null || detail.row.state === 'abandoned') return [SPINE, EFFECT, DIFF, FORM];
  const isWritten =
    detail.row.state === 'draft' || detail.row.state === 'needs work' || detail.row.state === 'outdated';
  return isWritten && detail.may.edit.may ? [FORM, DIFF, EFFECT, SPINE] : [EFFECT, DIFF, SPINE, FORM];
}

function TabBody({ tab, ...props }: ChangeCentreProps & { readonly tab: string }) {
  const { detail, drafts, checks } = props;
  switch (tab) {
    case 'diff':
      return (
        <EditDiffs
          edits={[...drafts.book.values()].map((draft) => ({ ...draft, act: actOf(draft) }))}
          none="No edits yet."
        />
      );
    case 'effect':
      return (
        <div className="grid gap-6">
          <EffectSummary effects={checks.effects} />
          <Reviews reviews={detail.reviews} />
        </div>
      );
    case 'spine':
      return (
        <>
          {detail.row.state === 'live' && <CallIt drafts={[...drafts.book.values()]} />}
          <Spine label={`Spine of ∆${detail.row.number}`} entries={spineEntries(detail.spine)} />
        </>
      );
    default:
      return <FormTab {...props} />;
  }
}

function FormTab({ detail, drafts, checks, open, showsAll, onOpen, onAdd }: ChangeCentreProps) {
  const forType = useSearchParams().get('for') ?? '';
  if (open === undefined) {
    return (
      <Empty
        acts={
          <Button look="primary" onClick={onAdd} disabledWhy={detail.may.edit.may ? undefined : detail.may.edit.why}>
            Add an edit
          </Button>
        }
      >
        No edits yet. Add a type, a policy, a tenant or a principal, or take something published to change it.
      </Empty>
    );
  }
  return (
    <DefinitionForm
      key={draftKey(open.kind, open.name)}
      draft={open}
      book={drafts.book}
      update={drafts.update}
      findings={checks.findings}
      effects={checks.effects}
      tests={checks.tests}
      readOnlyWhy={detail.may.edit.may ? undefined : detail.may.edit.why}
      talk={{ number: detail.row.number, comments: detail.comments, may: detail.may.comment }}
      showsAll={showsAll}
      onOpen={onOpen}
      forType={forType}
      managedBy={detail.managed?.find(({ kind, name }) => kind === open.kind && name === open.name)?.by}
    />
  );
}
