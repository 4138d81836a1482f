'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { briefStanding } from '#components/definitions/brief-standing.ts';
import { useListFilter } from '#components/definitions/use-list-filter.ts';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { FilterLine } from '#components/ui/filter-line.tsx';
import { formatMs } from '#components/ui/format-time.ts';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { countWords } from '#components/ui/list-place.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { PagedLedger } from '#components/ui/paged-ledger.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import type { ReleaseRow } from '#server/contract/releases.ts';
import { AllLiveChart } from './all-live-chart.tsx';
import { FreezeControl } from './freeze-control.tsx';
import { publisherWords } from './publisher-words.ts';
import { releasesQuery } from './queries.ts';
import { RolloutRulesControl } from './rollout-rules-dialog.tsx';

/** Releases, newest first: why each exists, who made it, where it is live. */
export function ReleasesView() {
  const filter = useListFilter([]);
  const query = useQuery({
    ...releasesQuery({ q: filter.words, cursor: filter.cursor }),
    enabled: filter.error === undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead
        title="Releases"
        acts={
          <>
            <RolloutRulesControl />
            <FreezeControl />
          </>
        }
      >
        <Sentence size="prose" className="text-ink-2">
          A release is a numbered, signed snapshot of all definitions. The newest is the target; each gateway serves
          one.
        </Sentence>
      </PageHead>
      <FilterLine
        label="Filter releases"
        example="r12, reactions, a name"
        keys={[]}
        value={filter.text}
        onCommit={filter.commit}
        error={filter.error}
        className="mb-3 max-w-160"
      />
      <Ruled>
        <QueryView
          query={query}
          label="releases"
          news={{ question: filter.text, words: ({ total }) => countWords(total, 'releases') }}
        >
          {(page) =>
            page.items.length === 0 && filter.words !== undefined ? (
              <Empty acts={<Button onClick={() => filter.commit('')}>Show all releases</Button>}>
                No releases match {filter.text}.
              </Empty>
            ) : page.items.length === 0 ? (
              <Empty acts={<LinkButton href="/changes/new">Start a change</LinkButton>}>
                No release yet. Publishing a change makes one; until then gateways deny everything.
              </Empty>
            ) : (
              <div>
                <AllLiveChart releases={page.items} />
                <PagedLedger
                  label="Releases"
                  columns={COLUMNS}
                  rows={page.items}
                  rowKey={(row) => String(row.number)}
                  href={(row) => `/releases/${row.number}`}
                  page={page}
                  isTurning={query.isPlaceholderData}
                  noun="releases"
                />
              </div>
            )
          }
        </QueryView>
      </Ruled>
    </>
  );
}

const COLUMNS: readonly [LedgerColumn<ReleaseRow>, ...LedgerColumn<ReleaseRow>[]] = [
  {
    key: 'number',
    head: 'Release',
    width: '7rem',
    cell: (row) => <span className="font-mono">r{row.number}</span>,
  },
  {
    key: 'state',
    head: 'State',
    cell: (row) =>
      row.isTarget ? (
        <span className="font-medium">{row.state}</span>
      ) : (
        <span className="text-ink-3">{briefStanding(row.state)}</span>
      ),
  },
  {
    key: 'cause',
    head: 'Why',
    cell: (row) => (
      <span>
        {row.emergency && (
          <>
            <StateWord mark="triangle" tone="hold">
              Emergency
            </StateWord>{' '}
          </>
        )}
        {/* The cause says it too, for where it stands alone. */}
        <bdi>{row.emergency ? row.cause.replace(/^Emergency: /, '') : row.cause}</bdi>
      </span>
    ),
  },
  { key: 'by', head: 'Published by', cell: (row) => publisherWords(row) },
  {
    key: 'allLive',
    head: 'To all live',
    align: 'right',
    phone: 'hide',
    cell: (row) =>
      row.timeToAllLiveMs === null ? <span className="text-ink-3">—</span> : formatMs(row.timeToAllLiveMs),
  },
  { key: 'at', head: 'Published', align: 'right', phone: 'end', cell: (row) => <Time ms={row.atMs} style="ago" /> },
];
