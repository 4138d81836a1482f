'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { briefStanding } from '#components/definitions/brief-standing.ts';
import { useListFilter } from '#components/definitions/use-list-filter.ts';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import type { FilterKey } from '#components/ui/filter-completions.ts';
import { FilterLine } from '#components/ui/filter-line.tsx';
import { formatCount } from '#components/ui/format-number.ts';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { countWords } from '#components/ui/list-place.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { PagedLedger } from '#components/ui/paged-ledger.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import { Time } from '#components/ui/time.tsx';
import type { ChangeRow } from '#server/contract/changes.ts';
import { ChangeStateWord } from './change-state-word.tsx';
import { changesQuery } from './queries.ts';

const KEYS: readonly FilterKey[] = [
  { key: 'state', about: 'how far it is', values: ['open', 'published', 'abandoned', 'all'] },
  { key: 'by', about: 'whose it is', values: ['me', 'teams', 'all'] },
];
const NEW = '/changes/new';

/** Changes, those that are open first to be seen: what each waits for and who can act. */
export function ChangesView() {
  const router = useRouter();
  const filter = useListFilter(KEYS);
  useShortcuts([{ keys: 'n', label: 'New change', run: () => router.push(NEW) }]);
  const query = useQuery({
    ...changesQuery({ state: filter.values.state, by: filter.values.by, q: filter.words, cursor: filter.cursor }),
    enabled: filter.error === undefined,
    placeholderData: keepPreviousData,
  });
  const act = (
    <LinkButton look="primary" href={NEW}>
      New change
    </LinkButton>
  );
  return (
    <>
      <PageHead title="Changes" acts={act}>
        <Sentence size="prose" className="text-ink-2">
          A change is a set of edits to definitions. It is checked, reviewed and published as one release.
        </Sentence>
      </PageHead>
      <FilterLine
        label="Filter changes"
        example="state:open by:teams reactions"
        keys={KEYS}
        value={filter.text}
        onCommit={filter.commit}
        error={filter.error}
        className="mb-3 max-w-160"
      />
      <Ruled>
        <QueryView
          query={query}
          label="changes"
          news={{ question: filter.text, words: ({ total }) => countWords(total, 'changes') }}
        >
          {(page) =>
            page.items.length === 0 ? (
              <NoChanges text={filter.text} act={act} onAll={() => filter.commit('state:all')} />
            ) : (
              <PagedLedger
                label="Changes"
                columns={COLUMNS}
                rows={page.items}
                rowKey={(row) => String(row.number)}
                href={(row) => `/changes/${row.number}`}
                page={page}
                isTurning={query.isPlaceholderData}
                noun="changes"
              />
            )
          }
        </QueryView>
      </Ruled>
    </>
  );
}

function NoChanges({
  text,
  act,
  onAll,
}: {
  readonly text: string;
  readonly act: React.ReactNode;
  readonly onAll: () => void;
}) {
  if (text === 'state:all')
    return <Empty acts={act}>No changes yet. Every edit of a type, policy or tenant starts in one.</Empty>;
  return (
    <Empty
      acts={
        <>
          {act}
          <Button onClick={onAll}>Show all changes</Button>
        </>
      }
    >
      {text === '' ? 'No change is open.' : `No changes match ${text}.`}
    </Empty>
  );
}

const COLUMNS: readonly [LedgerColumn<ChangeRow>, ...LedgerColumn<ChangeRow>[]] = [
  {
    key: 'title',
    head: 'Change',
    width: '30%',
    cell: (row) => (
      <span className="min-w-0">
        <span className="font-mono text-ink-3">∆{row.number}</span> <bdi>{row.title}</bdi>
      </span>
    ),
  },
  { key: 'state', head: 'State', width: '7.5rem', phone: 'end', cell: (row) => <ChangeStateWord state={row.state} /> },
  { key: 'waits', head: 'What next', cell: (row) => <bdi className="text-ink-2">{briefStanding(row.waitsFor)}</bdi> },
  {
    key: 'edits',
    head: 'Edits',
    align: 'right',
    width: '4.5rem',
    phone: 'hide',
    cell: (row) => formatCount(row.edits),
  },
  { key: 'author', head: 'Author', width: '7rem', cell: (row) => row.author.name },
  {
    key: 'updated',
    head: 'Updated',
    align: 'right',
    width: '6.5rem',
    cell: (row) => <Time ms={row.updatedAtMs} style="ago" />,
  },
];
