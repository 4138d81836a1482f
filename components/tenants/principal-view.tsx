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
import { StateWord } from '#components/ui/state-word.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { Token } from '#components/ui/token.tsx';
import type { PrincipalDocument } from '#gateway/contract/definitions/principal.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { ACTOR_WORDS } from './actor-words.ts';
import { PrincipalKeys } from './principal-keys.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'keys', label: 'Keys' },
  { value: 'relations', label: 'Relations' },
  { value: 'history', label: 'History' },
];

/** One principal: whose it is, its keys, what names it, and its history. */
export function PrincipalView({ name }: { readonly name: string }) {
  const query = useQuery(definitionQuery('principal', name));
  return (
    <QueryView query={query} label={name}>
      {(detail) => {
        const document = detail.definition.kind === 'principal' ? detail.definition.document : undefined;
        return (
          <>
            <PageHead
              glyph="principal"
              title={<span className="font-mono">{name}</span>}
              state={<PrincipalState isDisabled={document?.disabled === true} team={detail.row.ownerTeam} />}
              acts={
                <>
                  <EditInChange detail={detail} />
                  {document?.disabled === false && (
                    <NarrowControl path={`principals/${name}/disable`} act="Disable" title={`Disable ${name}?`}>
                      <p>
                        Every call with any key of <b className="font-mono">{name}</b> is refused as{' '}
                        <code className="font-mono">unauthenticated</code> within two seconds at every gateway that is
                        connected. A change enables it again.
                      </p>
                    </NarrowControl>
                  )}
                </>
              }
            >
              {document !== undefined && <PrincipalSentence document={document} />}
              <OriginSentence detail={detail} />
              <OpenChanges changes={detail.openChanges} />
            </PageHead>
            <Tabs label={`Views of ${name}`} tabs={TABS} className="mb-4" />
            <PrincipalTab detail={detail} />
          </>
        );
      }}
    </QueryView>
  );
}

function PrincipalTab({ detail }: { readonly detail: DefinitionDetail }) {
  const tab = useTab(TABS);
  switch (tab) {
    case 'relations':
      return <RelatedLedger detail={detail} />;
    case 'history':
      return <History detail={detail} />;
    default:
      return <PrincipalKeys principal={detail.row.name} />;
  }
}

function PrincipalState({ isDisabled, team }: { readonly isDisabled: boolean; readonly team: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      {isDisabled ? (
        <StateWord mark="pause" tone="hold">
          Disabled
        </StateWord>
      ) : (
        <StateWord mark="check" tone="ok">
          Active
        </StateWord>
      )}
      <span>team {team}</span>
    </span>
  );
}

function PrincipalSentence({ document }: { readonly document: PrincipalDocument }) {
  return (
    <Sentence>
      {document.description} {ACTOR_WORDS[document.actorKind].article} <b>{ACTOR_WORDS[document.actorKind].noun}</b> of
      tenant{' '}
      <Token kind="tenant" href={`/tenants/${encodeURIComponent(document.tenant)}`}>
        {document.tenant}
      </Token>
      {document.groups.length === 0
        ? ', in no group'
        : `, in ${document.groups.length === 1 ? 'group' : 'groups'} ${document.groups.join(', ')}`}
      .{document.disabled && ' Disabled: every call with its keys is refused as unauthenticated.'}
    </Sentence>
  );
}
