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
import { costWords } from './cost-words.ts';
import { DefinitionStateWord } from './definition-state-word.tsx';

const COLUMNS: readonly [LedgerColumn<DefinitionRow>, ...LedgerColumn<DefinitionRow>[]] = [
  {
    key: 'name',
    head: 'Type',
    cell: (row) => (
      <>
        <Glyph kind={KINDS[row.kind].glyph} named className="text-ink-3" />
        <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 tablet:min-w-44">
          <bdi className="font-mono">{row.name}</bdi>
          {row.state !== 'active' && <DefinitionStateWord state={row.state} />}
        </span>
      </>
    ),
  },
  {
    key: 'purpose',
    head: 'Purpose, ends or limits',
    width: '36%',
    cell: (row) => (
      <span className="grid tablet:min-w-44">
        <bdi className="max-tablet:hidden">{row.description}</bdi>
        <bdi className="text-ink-3 text-meta">{row.summary}</bdi>
      </span>
    ),
  },
  { key: 'owner', head: 'Owner', width: '5rem', phone: 'hide', cell: (row) => row.ownerTeam },
  {
    key: 'cost',
    head: 'RU an operation',
    width: '11.5rem',
    phone: 'hide',
    from: 'wide',
    cell: (row) => <span className="whitespace-nowrap">{costWords(row.use?.cost ?? [])}</span>,
  },
  {
    key: 'used',
    head: 'Last used',
    align: 'right',
    width: '8rem',
    phone: 'hide',
    from: 'wide',
    cell: (row) =>
      row.use === null || row.use.lastUsedMs === null ? (
        <span className="text-ink-3">not in 30 days</span>
      ) : (
        <Time ms={row.use.lastUsedMs} style="ago" />
      ),
  },
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

const REGISTER = '/changes/new?add=objectType';

/** Object and edge types in one ledger; those of my teams come first. */
export function TypesView() {
  const router = useRouter();
  useShortcuts([{ keys: 'n', label: 'Register a type', run: () => router.push(REGISTER) }]);
  return (
    <>
      <PageHead
        title="Types"
        acts={
          <LinkButton look="primary" href={REGISTER}>
            Register a type
          </LinkButton>
        }
      >
        <Sentence size="prose" className="text-ink-2">
          {KINDS.objectType.about} {KINDS.edgeType.about} Those of your teams come first.
        </Sentence>
      </PageHead>
      <DefinitionList
        noun="types"
        kind="type"
        kinds={{ object: 'objectType', edge: 'edgeType' }}
        hasStates
        isMineFirst
        example="team:mine state:deprecated Message"
        columns={COLUMNS}
        empty={
          <Empty
            acts={
              <LinkButton look="primary" href={REGISTER}>
                Register a type
              </LinkButton>
            }
          >
            No types yet. A type says what may be stored and how it connects.
          </Empty>
        }
      />
    </>
  );
}
