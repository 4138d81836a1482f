'use client';

import { textAt } from '#components/definitions/document.ts';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { findingsAt } from './find-findings.ts';
import { useFormWiring } from './form-context.ts';
import { ProseRow, Row } from './form-rows.tsx';
import { GrantBuilder } from './grant-builder.tsx';
import { NameRow } from './name-row.tsx';
import { OwnerRow } from './owner-row.tsx';
import { PolicyTestRows } from './policy-test-rows.tsx';

interface PolicyFormProps {
  readonly onRenamed: (key: string) => void;
  /** The type that it was started for. */
  readonly forType: string;
}

/** A policy: its sentence, the Cedar text, and what it newly allows or denies under the text. */
export function PolicyForm({ onRenamed, forType }: PolicyFormProps) {
  const { draft, set, effects, findings, readOnlyWhy } = useFormWiring();
  const marked = findingsAt(findings, { kind: 'policy', name: draft.name, path: 'cedar' }).flatMap(
    ({ line }) => line ?? [],
  );
  const access = effects.filter((effect) => effect.kind === 'access');
  return (
    <>
      <NameRow
        hint="Small letters, digits and hyphens, like search-reads. Refusals and the audit log quote it."
        onRenamed={onRenamed}
      />
      <ProseRow path="description" label="What it says" hint="One sentence, as people should read it." />
      <OwnerRow />
      {readOnlyWhy === undefined && <GrantBuilder type={forType} />}
      <Row
        path="cedar"
        label="Cedar"
        hint="Principals are Service, User, Agent or Operator; resources are ObjectType or EdgeType."
      >
        <CodeEditor
          rows={10}
          readOnly={readOnlyWhy !== undefined}
          markedLines={marked}
          value={textAt(draft.document, 'cedar')}
          onChange={(event) => set('cedar', event.target.value)}
        />
      </Row>
      <PolicyTestRows />
      <section aria-label="Effect on access" className="grid gap-1">
        <h3 className="font-medium">What changes with it</h3>
        {access.length === 0 ? (
          <p className="text-ink-2">Nobody gains or loses access by this change.</p>
        ) : (
          <ul className="grid gap-1">
            {access.map((effect) => (
              <li key={effect.text} className="max-w-[60ch] text-prose">
                {effect.text}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
