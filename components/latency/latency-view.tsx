'use client';

import { useQuery } from '@tanstack/react-query';
import { formatUsOr } from '#components/charts/duration-axis.ts';
import { perSecondWords } from '#components/charts/per-second.ts';
import { Sparkline } from '#components/charts/sparkline.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Failed } from '#components/ui/failed.tsx';
import { formatCount, formatShare, plural } from '#components/ui/format-number.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Loading } from '#components/ui/loading.tsx';
import { Mark } from '#components/ui/mark.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { RANGE_WORDS } from '#components/ui/range-value.ts';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { Stale } from '#components/ui/stale.tsx';
import { useUrlState } from '#components/ui/use-url-state.ts';
import type { LatencyIndex } from '#server/contract/latency.ts';
import { indexSentence, isUnusual, ratioOf } from './index-sentence.ts';
import { type LatencyScope, readScope } from './latency-scope.ts';
import { latencyIndexQuery } from './queries.ts';
import { ScopeControls } from './scope-controls.tsx';
import { useHold } from './use-hold.ts';

type Row = LatencyIndex['tenants'][number];

/** Tenants by how far p99 is above usual: who is slow, and since when it looks so. */
export function LatencyView() {
  const { search, set } = useUrlState();
  const scope = readScope(search);
  const query = useQuery(latencyIndexQuery(scope));
  const hold = useHold(search.toString(), query.data);
  return (
    <>
      <PageHead title="Latency">
        {hold.shown !== undefined && <Sentence>{indexSentence(hold.shown.tenants)}</Sentence>}
        {query.isRefetchError && <Stale sinceMs={query.dataUpdatedAt} />}
      </PageHead>
      <div className="grid gap-4">
        <ScopeControls scope={scope} set={set} span={hold.shown} isHeld={hold.isHeld} />
        <div {...hold.handlers}>
          <Ruled>
            {hold.shown !== undefined && <Tenants index={hold.shown} search={search.toString()} />}
            {hold.shown === undefined &&
              (query.isError ? (
                <Failed error={query.error} onRetry={() => void query.refetch()} />
              ) : (
                <Loading label="tenants" rows={4} />
              ))}
          </Ruled>
        </div>
      </div>
    </>
  );
}

function Tenants({ index, search }: { readonly index: LatencyIndex; readonly search: string }) {
  if (index.tenants.length === 0 && index.hiddenTenants === 0) {
    return (
      <Empty acts={<LinkButton href="/changes/new?add=tenant">Register a tenant</LinkButton>}>
        No tenant yet. A tenant is an isolated customer of the platform; its latency shows here once it is called.
      </Empty>
    );
  }
  return (
    <div>
      {index.tenants.length > 0 && (
        <Ledger
          label="Tenants by p99 against usual"
          columns={columnsOf(readScope(new URLSearchParams(search)))}
          rows={index.tenants}
          rowKey={(row) => row.tenant}
          href={(row) => `/latency/${encodeURIComponent(row.tenant)}${search === '' ? '' : `?${search}`}`}
        />
      )}
      {index.hiddenTenants > 0 && (
        <p className="border-line border-t px-4 py-2 text-ink-3 text-meta">
          {plural(index.hiddenTenants, 'other tenant')} not shown: traffic is for a tenant’s team and for operators,
          security, auditors and admins.
        </p>
      )}
    </div>
  );
}

const columnsOf = ({ time }: LatencyScope): readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]] => [
  {
    key: 'tenant',
    head: 'Tenant',
    cell: (row) => (
      <>
        <Glyph kind="tenant" className="text-ink-3" />
        <bdi className="font-mono">{row.tenant}</bdi>
      </>
    ),
  },
  {
    key: 'p99',
    head: time.kind === 'relative' ? `p99, last ${RANGE_WORDS[time.range]}` : 'p99 then',
    align: 'right',
    phone: 'end',
    cell: (row) => <b className="font-semibold">{formatUsOr(row.p99Us, row.requests === 0 ? '—' : 'needs 1,000')}</b>,
  },
  {
    key: 'usual',
    head: 'Usual',
    align: 'right',
    cell: (row) => (
      <>
        <span className="tablet:hidden">usual </span>
        {formatUsOr(row.usualP99Us, 'not known')}
      </>
    ),
  },
  { key: 'against', head: 'Against usual', align: 'right', phone: 'hide', cell: (row) => <Against row={row} /> },
  {
    key: 'target',
    head: 'Target',
    align: 'right',
    phone: 'hide',
    from: 'desk',
    cell: (row) => (row.targetP99Ms === null ? '—' : `${row.targetP99Ms}\u00a0ms`),
  },
  {
    key: 'refused',
    head: 'Refused',
    align: 'right',
    cell: (row) => (
      <>
        {formatShare(row.refusedShare)}
        <span className="tablet:hidden"> refused</span>
      </>
    ),
  },
  {
    key: 'rate',
    head: 'Rate',
    align: 'right',
    cell: (row) => <span title={`${formatCount(row.requests)} requests`}>{perSecondWords(row.perSecond)}</span>,
  },
  {
    key: 'spark',
    head: 'p99 over time',
    align: 'right',
    phone: 'hide',
    from: 'desk',
    cell: (row) => (
      <span className="inline-flex justify-end">
        <Sparkline values={row.spark} label={sparkWords(row)} />
      </span>
    ),
  },
];

function Against({ row }: { readonly row: Row }) {
  const ratio = ratioOf(row);
  if (ratio === null) return '—';
  if (!isUnusual(row)) return `${ratio.toFixed(1)} ×`;
  return (
    <span className="inline-flex items-center gap-1.5 text-warn">
      <Mark kind="triangle" />
      {ratio.toFixed(1)} ×
    </span>
  );
}

function sparkWords({ spark }: Row): string {
  const known = spark.filter((value) => value !== null);
  if (known.length === 0) return 'Too few requests for p99';
  return `p99 between ${formatUsOr(Math.min(...known))} and ${formatUsOr(Math.max(...known))}`;
}
