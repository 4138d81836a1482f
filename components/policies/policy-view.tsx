'use client';

import { useQuery } from '@tanstack/react-query';
import { EditInChange } from '#components/definitions/edit-in-change.tsx';
import { History } from '#components/definitions/history.tsx';
import { OpenChanges } from '#components/definitions/open-changes.tsx';
import { OriginSentence } from '#components/definitions/origin-sentence.tsx';
import { definitionQuery } from '#components/definitions/queries.ts';
import { RelatedLedger } from '#components/definitions/related-ledger.tsx';
import { NarrowControl } from '#components/narrowing/narrow-control.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { STANDING_POLICY } from '#gateway/contract/policy-model.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { PolicyTests } from './policy-tests.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'text', label: 'Cedar' },
  { value: 'tests', label: 'Tests' },
  { value: 'relations', label: 'Relations' },
  { value: 'history', label: 'History' },
];

/** One policy: its sentence first, the Cedar text that enforces it, what it names, and its history. */
export function PolicyView({ name }: { readonly name: string }) {
  const query = useQuery(definitionQuery('policy', name));
  return (
    <QueryView query={query} label={name}>
      {(detail) => (
        <>
          <PageHead
            glyph="policy"
            title={<span className="font-mono">{name}</span>}
            state={
              <span className="flex flex-wrap items-center gap-x-3">
                <StateWord mark="check" tone="ok">
                  Active
                </StateWord>
                <span>
                  {name === STANDING_POLICY && 'standing · '}team {detail.row.ownerTeam}
                </span>
              </span>
            }
            acts={
              <>
                <NarrowControl path={`policies/${name}/switch-off`} act="Switch off" title={`Switch off ${name}?`}>
                  <p>
                    What only <b className="font-mono">{name}</b> permits is refused as{' '}
                    <code className="font-mono">forbidden</code> within two seconds at every gateway that is connected.
                    Its text stays in its history; a change brings it back.
                  </p>
                </NarrowControl>
                <EditInChange detail={detail} />
              </>
            }
          >
            <Sentence>{detail.row.description}</Sentence>
            <OriginSentence detail={detail} />
            <OpenChanges changes={detail.openChanges} />
          </PageHead>
          <Tabs label={`Views of ${name}`} tabs={TABS} className="mb-4" />
          <PolicyTab detail={detail} />
        </>
      )}
    </QueryView>
  );
}

function PolicyTab({ detail }: { readonly detail: DefinitionDetail }) {
  const tab = useTab(TABS);
  switch (tab) {
    case 'tests':
      return <PolicyTests detail={detail} />;
    case 'relations':
      return <RelatedLedger detail={detail} />;
    case 'history':
      return <History detail={detail} />;
    default:
      return detail.definition.kind === 'policy' ? (
        <Snippet title="Cedar · as gateways enforce it" code={detail.definition.document.cedar} />
      ) : null;
  }
}
