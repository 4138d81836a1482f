'use client';

import { formatUs, formatUsOr } from '#components/charts/duration-axis.ts';
import { OUTCOME_WORDS } from '#components/charts/outcome-words.ts';
import { perSecondWords } from '#components/charts/per-second.ts';
import { formatCount, formatRu, formatShare } from '#components/ui/format-number.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Moment } from '#components/ui/moment.tsx';
import { Section } from '#components/ui/section.tsx';
import { Token } from '#components/ui/token.tsx';
import type { TenantLatency } from '#server/contract/latency.ts';

type OperationRow = TenantLatency['operations'][number];
type Slow = TenantLatency['slowest'][number];

interface OperationsProps {
  readonly data: TenantLatency;
  /** The page of one operation. */
  readonly hrefOf: (operation: string) => string;
}

/** Operations by requests: how many, how slow, how dear. */
export function Operations({ data, hrefOf }: OperationsProps) {
  const seconds = (data.toMs - data.fromMs) / 1_000;
  const columns: readonly [LedgerColumn<OperationRow>, ...LedgerColumn<OperationRow>[]] = [
    { key: 'operation', head: 'Operation', cell: (row) => <span className="font-mono">{row.operation}</span> },
    {
      key: 'requests',
      head: 'Requests',
      align: 'right',
      cell: (row) => (
        <>
          {formatCount(row.requests)}
          <span className="tablet:hidden"> requests</span>
        </>
      ),
    },
    { key: 'rate', head: 'Rate', align: 'right', phone: 'hide', cell: (row) => perSecondWords(row.requests / seconds) },
    {
      key: 'p50',
      head: 'p50',
      align: 'right',
      cell: (row) => (
        <>
          <span className="tablet:hidden">p50 </span>
          {formatUsOr(row.p50Us)}
        </>
      ),
    },
    {
      key: 'p99',
      head: 'p99',
      align: 'right',
      phone: 'end',
      cell: (row) => (
        <>
          <span className="tablet:hidden">p99 </span>
          {formatUsOr(row.p99Us, 'needs 1,000')}
        </>
      ),
    },
    {
      key: 'ru',
      head: 'RU each',
      align: 'right',
      cell: (row) => formatRu(row.requests === 0 ? 0 : row.ru / row.requests),
    },
    ...(data.operations.some(({ cached }) => cached !== null) ? [CACHED] : []),
  ];
  return (
    <Section title="Operations" note="by requests" frame="ruled">
      <Ledger
        label="Operations by requests"
        columns={columns}
        rows={data.operations}
        rowKey={(row) => row.operation}
        href={(row) => hrefOf(row.operation)}
      />
    </Section>
  );
}

/** Shown when a cache was asked at all. */
const CACHED: LedgerColumn<OperationRow> = {
  key: 'cached',
  head: 'From cache',
  align: 'right',
  phone: 'hide',
  cell: (row) => (row.cached === null ? <span className="text-ink-3">not asked</span> : formatShare(row.cached)),
};

/** The slowest of the requests that were kept: each opens its own page. */
export function Slowest({ rows }: { readonly rows: readonly Slow[] }) {
  return (
    <Section title="Slowest kept requests" note="refused, failed and slow ones are kept, and a sample" frame="ruled">
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">None is kept from this time.</p>
      ) : (
        <Ledger
          label="Slowest kept requests"
          columns={SLOW_COLUMNS}
          rows={rows}
          rowKey={(row) => row.id}
          href={(row) => `/requests/${encodeURIComponent(row.id)}`}
        />
      )}
    </Section>
  );
}

const SLOW_COLUMNS: readonly [LedgerColumn<Slow>, ...LedgerColumn<Slow>[]] = [
  {
    key: 'at',
    head: 'Time',
    width: '10rem',
    cell: (row) => (
      <>
        <Glyph kind="request" className="text-ink-3" />
        <Moment ms={row.atMs} />
      </>
    ),
  },
  {
    key: 'took',
    head: 'Took',
    align: 'right',
    phone: 'end',
    cell: (row) => <b className="font-semibold">{formatUs(row.us)}</b>,
  },
  { key: 'stage', head: 'Mostly in', cell: (row) => row.slowestStage ?? '—' },
  { key: 'operation', head: 'Operation', cell: (row) => <span className="font-mono">{row.operation ?? '—'}</span> },
  { key: 'outcome', head: 'Outcome', cell: (row) => OUTCOME_WORDS[row.outcome].label },
  {
    key: 'release',
    head: 'Release',
    align: 'right',
    cell: (row) =>
      row.release === null ? (
        '—'
      ) : (
        <Token kind="release" bare href={`/releases/${row.release}`}>
          r{row.release}
        </Token>
      ),
  },
];
