'use client';

import { useQuery } from '@tanstack/react-query';
import { EditInChange } from '#components/definitions/edit-in-change.tsx';
import { History } from '#components/definitions/history.tsx';
import { KINDS, kindOfType } from '#components/definitions/kind-words.ts';
import { OpenChanges } from '#components/definitions/open-changes.tsx';
import { OriginSentence } from '#components/definitions/origin-sentence.tsx';
import { definitionQuery } from '#components/definitions/queries.ts';
import { RestoreInChange } from '#components/definitions/restore-in-change.tsx';
import { StoredSentence } from '#components/definitions/stored-sentence.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { CostSentence } from './cost-sentence.tsx';
import { DefinitionStateWord } from './definition-state-word.tsx';
import { LifecycleSentence } from './lifecycle-sentence.tsx';
import { TypeCode } from './type-code.tsx';
import { TypeLimits } from './type-limits.tsx';
import { TypeRelations } from './type-relations.tsx';
import { TypeSentence } from './type-sentence.tsx';
import { TypeUsers } from './type-users.tsx';
import { UsersSentence } from './users-sentence.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'overview', label: 'Overview' },
  { value: 'code', label: 'Code' },
  { value: 'relations', label: 'Relations' },
  { value: 'limits', label: 'Limits' },
  { value: 'history', label: 'History' },
];

/** One object or edge type: what it is, who uses it, code that works as pasted, its limits and its history. */
export function TypeView({ name }: { readonly name: string }) {
  const kind = kindOfType(name);
  const query = useQuery(definitionQuery(kind, name));
  return (
    <QueryView query={query} label={name}>
      {(detail) => (
        <>
          <PageHead
            glyph={KINDS[kind].glyph}
            title={<span className="font-mono">{name}</span>}
            state={<TypeState detail={detail} />}
            acts={
              detail.removed === null ? (
                <EditInChange detail={detail} />
              ) : (
                <RestoreInChange definition={detail.definition} />
              )
            }
          >
            <LifecycleSentence detail={detail} />
            <TypeSentence definition={detail.definition} />
            <UsersSentence detail={detail} />
            <CostSentence cost={detail.row.use?.cost ?? []} />
            <StoredSentence stored={detail.stored} over="all tenants" mostEdges={mostEdgesOf(detail.definition)} />
            <OriginSentence detail={detail} />
            <OpenChanges changes={detail.openChanges} />
          </PageHead>
          <Tabs label={`Views of ${name}`} tabs={TABS} className="mb-4" />
          <TypeTab detail={detail} />
        </>
      )}
    </QueryView>
  );
}

function TypeState({ detail }: { readonly detail: DefinitionDetail }) {
  const { definition, row } = detail;
  const words = definition.kind === 'objectType' ? `${definition.document.classification} · ` : '';
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <DefinitionStateWord state={row.state} />
      <span>
        {words}team {row.ownerTeam}
      </span>
    </span>
  );
}

function TypeTab({ detail }: { readonly detail: DefinitionDetail }) {
  const tab = useTab(TABS);
  switch (tab) {
    case 'code':
      return <TypeCode detail={detail} />;
    case 'relations':
      return <TypeRelations detail={detail} />;
    case 'limits':
      return <TypeLimits definition={detail.definition} />;
    case 'history':
      return <History detail={detail} />;
    default:
      return (
        <div className="grid gap-6 wide:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]">
          <TypeUsers detail={detail} />
          <TypeCode detail={detail} isBrief />
        </div>
      );
  }
}

/** Undefined where an object has one edge at most: how full such a list is says nothing. */
function mostEdgesOf(definition: Definition): number | undefined {
  if (definition.kind !== 'edgeType' || definition.document.cardinality === 'one') return undefined;
  return definition.document.maxEdges;
}
