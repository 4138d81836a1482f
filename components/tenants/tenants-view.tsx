'use client';

import { useRouter } from 'next/navigation';
import { DefinitionList } from '#components/definitions/definition-list.tsx';
import { KINDS } from '#components/definitions/kind-words.ts';
import { LinkButton } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Glyph } from '#components/ui/glyph.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { Time } from '#components/ui/time.tsx';
import type { DefinitionRow } from '#server/contract/definitions.ts';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'tenants', label: 'Tenants' },
  { value: 'principals', label: 'Principals' },
];

/** Tenants with their quotas, and the principals that call for them. */
export function TenantsView() {
  const isPrincipals = useTab(TABS) === 'principals';
  const kind = isPrincipals ? 'principal' : 'tenant';
  const register = { href: `/changes/new?add=${kind}`, words: `Register a ${kind}` };
  const router = useRouter();
  useShortcuts([{ keys: 'n', label: register.words, run: () => router.push(register.href) }]);
  const act = (
    <LinkButton look="primary" href={register.href}>
      {register.words}
    </LinkButton>
  );
  return (
    <>
      <PageHead title="Tenants" acts={act}>
        <Sentence size="prose" className="text-ink-2">
          {KINDS[kind].about}
        </Sentence>
      </PageHead>
      <Tabs label="Tenants and principals" tabs={TABS} className="mb-4" />
      <DefinitionList
        key={kind}
        noun={KINDS[kind].many}
        kind={kind}
        example="team:mine chat"
        columns={columnsOf(kind)}
        empty={
          <Empty acts={act}>
            {isPrincipals
              ? 'No principals yet. A principal is who calls the gateway; its keys are made on its page.'
              : 'No tenants yet. A tenant is a product whose data, keys and quotas are kept apart from all others.'}
          </Empty>
        }
      />
    </>
  );
}

function columnsOf(
  kind: 'tenant' | 'principal',
): readonly [LedgerColumn<DefinitionRow>, ...LedgerColumn<DefinitionRow>[]] {
  return [
    {
      key: 'name',
      head: kind === 'tenant' ? 'Tenant' : 'Principal',
      cell: (row) => (
        <>
          <Glyph kind={kind} className="text-ink-3" />
          <bdi className="font-mono tablet:min-w-36">{row.name}</bdi>
        </>
      ),
    },
    {
      key: 'summary',
      head: kind === 'tenant' ? 'Quotas' : 'Tenant and kind',
      cell: (row) => <bdi className="block tablet:min-w-40">{row.summary}</bdi>,
    },
    {
      key: 'description',
      head: kind === 'tenant' ? 'Name' : 'Who calls',
      phone: 'hide',
      from: 'wide',
      cell: (row) => <bdi className="block min-w-40 text-ink-2">{row.description}</bdi>,
    },
    { key: 'owner', head: 'Owner', width: '5rem', cell: (row) => row.ownerTeam },
    {
      key: 'changed',
      head: 'Changed',
      align: 'right',
      width: '8.5rem',
      phone: 'end',
      cell: (row) => (
        <>
          <span className="font-mono">r{row.release}</span> · <Time ms={row.changedAtMs} style="ago" />
        </>
      ),
    },
  ];
}
