'use client';

import { useMemo, useState } from 'react';
import { type Document, withValueAt } from '#components/definitions/document.ts';
import { KINDS } from '#components/definitions/kind-words.ts';
import { ManagedSentence } from '#components/definitions/managed-sentence.tsx';
import { Button } from '#components/ui/button.tsx';
import { Mark } from '#components/ui/mark.tsx';
import type { ChangeDetail, Finding } from '#server/contract/changes.ts';
import type { ManagedBy } from '#server/contract/managed-by.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { actOf, type Draft, type DraftBook, draftKey, typeInto } from './draft-book.ts';
import { EdgeTypeForm } from './edge-type-form.tsx';
import { FieldThread } from './field-thread.tsx';
import { schemaIssues } from './find-findings.ts';
import { FormContext, type FormWiring } from './form-context.ts';
import { ObjectTypeForm } from './object-type-form.tsx';
import { followForward } from './pair-inverse.ts';
import { PolicyForm } from './policy-form.tsx';
import { PrincipalForm } from './principal-form.tsx';
import { RemovalForm } from './removal-form.tsx';
import { TenantForm } from './tenant-form.tsx';

interface DefinitionFormProps {
  readonly draft: Draft;
  readonly book: DraftBook;
  readonly update: (change: (book: DraftBook) => DraftBook) => void;
  readonly findings: readonly Finding[];
  readonly effects: ChangeDetail['effects'];
  readonly tests: FormWiring['tests'];
  readonly readOnlyWhy: string | undefined;
  readonly talk: FormWiring['talk'];
  /** All findings are shown beside their fields, touched or not: after an attempt to send it to review. */
  readonly showsAll: boolean;
  readonly onOpen: (key: string | undefined) => void;
  readonly forType: string;
  /** The repository that keeps the definition, unless its own apply keeps this change. */
  readonly managedBy: ManagedBy | undefined;
}

/** The form of one edit of a change. Mount it with the draft's key, so that what was touched belongs to one definition. */
export function DefinitionForm(props: DefinitionFormProps) {
  const { draft, book, update, readOnlyWhy, showsAll } = props;
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const issues = useMemo(() => schemaIssues(draft.kind, draft.document), [draft.kind, draft.document]);
  const wiring: FormWiring = {
    draft,
    book,
    update,
    issues,
    readOnlyWhy,
    findings: props.findings,
    effects: props.effects,
    tests: props.tests,
    talk: props.talk,
    isTouched: (path) => showsAll || draft.base !== null || touched.has(path),
    touch: (path) => setTouched((now) => (now.has(path) ? now : new Set(now).add(path))),
    set: (path, value) => update((now) => setField(now, draft, { path, value })),
  };
  return (
    <FormContext value={wiring}>
      <section
        data-edit={draftKey(draft.kind, draft.name)}
        aria-label={`${KINDS[draft.kind].one} ${draft.name}`}
        className="grid max-w-160 grid-cols-[minmax(0,1fr)] gap-5"
      >
        {readOnlyWhy !== undefined && <p className="text-ink-2">{readOnlyWhy}</p>}
        {props.managedBy !== undefined && readOnlyWhy === undefined && (
          <p className="flex items-baseline gap-2 text-ink-2">
            <Mark kind="triangle" className="translate-y-px text-warn" />
            <ManagedSentence by={props.managedBy} />
          </p>
        )}
        <ConflictPanel draft={draft} update={update} />
        {actOf(draft) === 'remove' ? <RemovalForm /> : <KindForm {...props} />}
        <div className="group/row relative min-h-8">
          <FieldThread path="" label={draft.name} />
        </div>
        {readOnlyWhy === undefined && <TakeOut draft={draft} update={update} onOpen={props.onOpen} />}
      </section>
    </FormContext>
  );
}

function KindForm({ draft, onOpen, forType }: DefinitionFormProps) {
  switch (draft.kind) {
    case 'objectType':
      return <ObjectTypeForm onRenamed={onOpen} />;
    case 'edgeType':
      return <EdgeTypeForm onRenamed={onOpen} />;
    case 'policy':
      return <PolicyForm onRenamed={onOpen} forType={forType} />;
    case 'tenant':
      return <TenantForm onRenamed={onOpen} />;
    case 'principal':
      return <PrincipalForm onRenamed={onOpen} />;
  }
}

function TakeOut({ draft, update, onOpen }: Pick<DefinitionFormProps, 'draft' | 'update' | 'onOpen'>) {
  const key = draftKey(draft.kind, draft.name);
  const isRemoval = draft.document === null;
  return (
    <div className="flex flex-wrap gap-2 border-line border-t pt-3">
      <Button
        look="quiet"
        className="-ml-2"
        onClick={() => {
          update((now) => new Map([...now].filter(([each]) => each !== key)));
          onOpen(undefined);
        }}
      >
        Take {draft.name} out of this change
      </Button>
      {draft.base !== null && !isRemoval && (
        <Button look="danger" onClick={() => update((now) => typeInto(now, { ...draft, document: null }))}>
          Remove {draft.name} instead
        </Button>
      )}
      {isRemoval && (
        <Button look="quiet" onClick={() => update((now) => typeInto(now, { ...draft, document: draft.base }))}>
          Keep it and edit
        </Button>
      )}
    </div>
  );
}

function setField(book: DraftBook, draft: Draft, field: { path: string; value: unknown }): DraftBook {
  const now = book.get(draftKey(draft.kind, draft.name)) ?? draft;
  const document: Document = withValueAt(now.document ?? {}, field.path, field.value);
  const next = typeInto(book, { ...now, document });
  return now.kind === 'edgeType' ? followForward(next, { ...now, document }) : next;
}
