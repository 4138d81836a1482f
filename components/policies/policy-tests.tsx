'use client';

import { DraftChoice } from '#components/definitions/draft-choice.tsx';
import { useEditInChange, useMyDrafts } from '#components/definitions/use-edit-in-change.ts';
import { Empty } from '#components/ui/empty.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { PolicyTestLine } from './policy-test-line.tsx';

/** The tests that are kept with a policy, and how they come out under what is published. */
export function PolicyTests({ detail }: { readonly detail: DefinitionDetail }) {
  const tests = detail.tests ?? [];
  return (
    <Ruled>
      <Section title="Tests" note="run by every check of any change" frame="ruled">
        {tests.length === 0 ? (
          <Empty acts={<AddTest detail={detail} />}>
            No tests. One says who may do what, or may not, and blocks every change that would make it untrue.
          </Empty>
        ) : (
          <ul aria-label={`Tests of ${detail.row.name}`} className="divide-y divide-line">
            {tests.map((result) => (
              <li key={result.index} className="px-4 py-2.5">
                <PolicyTestLine test={result.test} result={result} missing="" />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </Ruled>
  );
}

function AddTest({ detail }: { readonly detail: DefinitionDetail }) {
  const drafts = useMyDrafts(detail.openChanges);
  const act = useEditInChange(detail.definition);
  return (
    <DraftChoice
      label="Add a test in a change"
      menuLabel="Add a test in a draft of yours"
      drafts={drafts}
      onChoose={(change) => act.mutate({ change, act: 'edit' })}
      act={act}
    />
  );
}
