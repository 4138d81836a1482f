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
import { Time } from '#components/ui/time.tsx';
import type { DefinitionRow } from '#server/contract/definitions.ts';

const COLUMNS: readonly [LedgerColumn<DefinitionRow>, ...LedgerColumn<DefinitionRow>[]] = [
  {
    key: 'name',
    head: 'Policy',
    cell: (row) => (
      <>
        <Glyph kind="policy" className="text-ink-3" />
        <bdi className="font-mono tablet:min-w-40">{row.name}</bdi>
      </>
    ),
  },
  {
    key: 'description',
    head: 'What it says',
    cell: (row) => <bdi className="block tablet:min-w-48">{row.description}</bdi>,
  },
  { key: 'owner', head: 'Owner', width: '5rem', phone: 'hide', cell: (row) => row.ownerTeam },
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

const DRAFT = '/changes/new?add=policy';

/** Every policy with the sentence that says what it allows or forbids. */
export function PoliciesView() {
  const router = useRouter();
  useShortcuts([{ keys: 'n', label: 'Draft a policy', run: () => router.push(DRAFT) }]);
  return (
    <>
      <PageHead
        title="Policies"
        acts={
          <LinkButton look="primary" href={DRAFT}>
            Draft a policy
          </LinkButton>
        }
      >
        <Sentence size="prose" className="text-ink-2">
          {KINDS.policy.about} A forbid beats every permit.
        </Sentence>
      </PageHead>
      <DefinitionList
        noun="policies"
        kind="policy"
        example="team:mine search"
        columns={COLUMNS}
        empty={
          <Empty
            acts={
              <LinkButton look="primary" href={DRAFT}>
                Draft a policy
              </LinkButton>
            }
          >
            No policies yet, so every request is denied.
          </Empty>
        }
      />
    </>
  );
}
