'use client';

import { useQuery } from '@tanstack/react-query';
import { EditInChange } from '#components/definitions/edit-in-change.tsx';
import { History } from '#components/definitions/history.tsx';
import { definitionHref } from '#components/definitions/kind-words.ts';
import { OpenChanges } from '#components/definitions/open-changes.tsx';
import { OriginSentence } from '#components/definitions/origin-sentence.tsx';
import { definitionQuery } from '#components/definitions/queries.ts';
import { MoreRelated } from '#components/definitions/related-ledger.tsx';
import { StoredSentence } from '#components/definitions/stored-sentence.tsx';
import { LowerQuotaControl } from '#components/narrowing/lower-quota-control.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Glyph } from '#components/ui/glyph.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { TenantSentence } from './tenant-sentence.tsx';
import { TenantStorage } from './tenant-storage.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'principals', label: 'Principals' },
  { value: 'storage', label: 'Storage' },
  { value: 'history', label: 'History' },
];

/** One tenant: what it may use, who calls for it, and its history. */
export function TenantView({ name }: { readonly name: string }) {
  const query = useQuery(definitionQuery('tenant', name));
  const tab = useTab(TABS);
  return (
    <QueryView query={query} label={name}>
      {(detail) => (
        <>
          <PageHead
            glyph="tenant"
            title={<span className="font-mono">{name}</span>}
            state={
              <span className="flex flex-wrap items-center gap-x-3">
                <StateWord mark="check" tone="ok">
                  Active
                </StateWord>
                <span>team {detail.row.ownerTeam}</span>
                <TextLink href={`/latency/${encodeURIComponent(name)}`}>Latency</TextLink>
              </span>
            }
            acts={
              <>
                <EditInChange detail={detail} />
                {detail.definition.kind === 'tenant' && (
                  <LowerQuotaControl tenant={name} quotas={detail.definition.document.quotas} />
                )}
              </>
            }
          >
            {detail.definition.kind === 'tenant' && <TenantSentence document={detail.definition.document} />}
            <StoredSentence stored={detail.stored} over="all its types" />
            <OriginSentence detail={detail} />
            <OpenChanges changes={detail.openChanges} />
          </PageHead>
          <Tabs label={`Views of ${name}`} tabs={TABS} className="mb-4" />
          <TenantTab detail={detail} tab={tab} />
        </>
      )}
    </QueryView>
  );
}

function TenantTab({ detail, tab }: { readonly detail: DefinitionDetail; readonly tab: string }) {
  switch (tab) {
    case 'history':
      return <History detail={detail} />;
    case 'storage':
      return <TenantStorage name={detail.row.name} stored={detail.stored} />;
    default:
      return <Principals detail={detail} />;
  }
}

type Related = DefinitionDetail['relatedTo'][number];

const COLUMNS: readonly [LedgerColumn<Related>, ...LedgerColumn<Related>[]] = [
  {
    key: 'name',
    head: 'Principal',
    cell: (related) => (
      <>
        <Glyph kind="principal" className="text-ink-3" />
        <bdi className="font-mono">{related.name}</bdi>
      </>
    ),
  },
  { key: 'how', head: 'How', align: 'right', phone: 'end', cell: (related) => related.how },
];

function Principals({ detail }: { readonly detail: DefinitionDetail }) {
  const principals = detail.relatedTo.filter((related) => related.kind === 'principal');
  const act = (
    <LinkButton href={`/changes/new?add=principal&for=${encodeURIComponent(detail.row.name)}`}>
      Register a principal
    </LinkButton>
  );
  return (
    <div className="grid justify-items-start gap-3">
      <Ruled className="w-full">
        {principals.length === 0 ? (
          <Empty acts={act}>
            Nobody can call for {detail.row.name} yet. A principal is who calls; its keys are made on its page.
          </Empty>
        ) : (
          <div>
            <Ledger
              label={`Principals of ${detail.row.name}`}
              columns={COLUMNS}
              rows={principals}
              rowKey={(related) => related.name}
              href={(related) => definitionHref('principal', related.name)}
            />
            <MoreRelated detail={detail} />
          </div>
        )}
      </Ruled>
      {principals.length > 0 && act}
    </div>
  );
}
