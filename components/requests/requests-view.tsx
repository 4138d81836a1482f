'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { FilterLine } from '#components/ui/filter-line.tsx';
import { countWords } from '#components/ui/list-place.ts';
import { NewRows } from '#components/ui/new-rows.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { PagedLedger } from '#components/ui/paged-ledger.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { readTimeRange, resolveTimeRange, type TimeRangeValue, timeRangeParams } from '#components/ui/range-value.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import { TimeRange } from '#components/ui/time-range.tsx';
import { useHeldPage } from '#components/ui/use-held-page.ts';
import { useUrlState } from '#components/ui/use-url-state.ts';
import type { ListedRequest } from '#server/contract/requests.ts';
import { type LoadedRequests, nearestQuery, requestsQuery } from './queries.ts';
import { REQUEST_COLUMNS } from './request-columns.tsx';
import { filterQuery, lineOf, REQUEST_KEYS, readLine } from './request-filter.ts';

/** Kept requests, newest first: filtered, counted and paged by the server. */
export function RequestsView() {
  const { search, set } = useUrlState();
  const router = useRouter();
  const [fault, setFault] = useState<string>();
  const time = readTimeRange(search, '24h');
  const filter = filterQuery(search);
  const cursor = search.get('cursor') ?? undefined;
  const query = useQuery(requestsQuery({ filter, time, cursor }));
  const commit = (text: string) => {
    const line = readLine(text);
    setFault(line.kind === 'fault' ? line.message : undefined);
    if (line.kind === 'change') set(line.change);
    if (line.kind === 'request') router.push(`/requests/${encodeURIComponent(line.id)}`);
  };
  return (
    <>
      <PageHead title="Requests">
        <Sentence size="prose" className="text-ink-2">
          Refused, failed and slow requests are kept for 7 days, and a sample of the others.
        </Sentence>
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <div className="flex flex-wrap items-start gap-2">
          <FilterLine
            label="Filter requests"
            example="outcome:refused principal:search, or a request id"
            keys={REQUEST_KEYS}
            value={lineOf(search)}
            onCommit={commit}
            error={fault}
            className="min-w-0 grow tablet:basis-80"
          />
          <TimeRange value={time} onChange={(value) => set({ ...timeRangeParams(value), cursor: null })} />
        </div>
        <QueryView
          query={query}
          label="requests"
          rows={12}
          news={{
            question: JSON.stringify([filter, time]),
            words: ({ total }) => countWords(total, 'requests'),
          }}
        >
          {(page) => (
            <RequestList
              page={page}
              listKey={`${search}`}
              isOther={query.isPlaceholderData}
              isLive={cursor === undefined && time.kind === 'relative'}
            >
              <NoneFits time={time} line={lineOf(search)} search={search} set={set} />
            </RequestList>
          )}
        </QueryView>
      </div>
    </>
  );
}

interface RequestListProps {
  readonly page: LoadedRequests;
  readonly listKey: string;
  /** The rows are of the question before; the answer is on its way. */
  readonly isOther: boolean;
  readonly isLive: boolean;
  /** What an empty list says. */
  readonly children: React.ReactNode;
}

const idOf = ({ id }: ListedRequest): string => id;

function RequestList({ page, listKey, isOther, isLive, children }: RequestListProps) {
  const held = useHeldPage(`${listKey} ${isOther}`, page.items, idOf);
  if (page.items.length === 0) return <Ruled>{children}</Ruled>;
  return (
    <>
      {isLive && (
        <NewRows fresh={held.fresh} isAll={held.fresh === page.items.length} noun="request" onShow={held.release} />
      )}
      <Ruled>
        <PagedLedger
          label="Kept requests"
          columns={REQUEST_COLUMNS}
          rows={held.rows}
          rowKey={idOf}
          href={(row) => `/requests/${encodeURIComponent(row.id)}`}
          page={page}
          isTurning={isOther}
          noun="requests"
        />
      </Ruled>
    </>
  );
}

interface NoneFitsProps {
  readonly time: TimeRangeValue;
  readonly line: string;
  readonly search: URLSearchParams;
  readonly set: ReturnType<typeof useUrlState>['set'];
}

/** Nothing fits: says where the nearest one is, or that there is none at all. */
function NoneFits({ time, line, search, set }: NoneFitsProps) {
  const [span] = useState(() => resolveTimeRange(time, Date.now()));
  const nearest = useQuery(nearestQuery(filterQuery(search), span.fromMs)).data?.items[0];
  const clear = line !== '' && (
    <Button onClick={() => set(Object.fromEntries(REQUEST_KEYS.map(({ key }) => [key, null])))}>Clear filters</Button>
  );
  if (nearest !== undefined) {
    const around = { fromMs: nearest.atMs - 5 * 60_000, toMs: nearest.atMs + 5 * 60_000 };
    return (
      <Empty
        acts={
          <>
            <Button onClick={() => set({ ...timeRangeParams({ kind: 'absolute', ...around }), cursor: null })}>
              Show the time around it
            </Button>
            {clear}
          </>
        }
      >
        No kept request fits in this time. The nearest before it is from <Time ms={nearest.atMs} style="full" />.
      </Empty>
    );
  }
  if (line !== '') {
    return (
      <Empty acts={clear}>
        No kept request fits <code className="font-mono">{line}</code>. Of served requests only slow ones and a sample
        are kept; refusals are also in the <TextLink href="/audit?tab=refusals">audit log</TextLink>.
      </Empty>
    );
  }
  return (
    <Empty acts={<LinkButton href="/types">Open a type</LinkButton>}>
      No request is kept yet. The page of a type has a <code className="font-mono">curl</code> that works as pasted, and{' '}
      <code className="font-mono">npm run traffic</code> sends a sample load.
    </Empty>
  );
}
