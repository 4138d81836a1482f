import { formatUs } from '#components/charts/duration-axis.ts';
import { formatRu } from '#components/ui/format-number.ts';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Moment } from '#components/ui/moment.tsx';
import { Token } from '#components/ui/token.tsx';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';
import { OutcomeState } from './outcome-state.tsx';
import { targetWords } from './request-words.ts';

/** The list of requests: when, how it ended, who asked for what, how long and how dear. */
export const REQUEST_COLUMNS: readonly [LedgerColumn<RequestRecord>, ...LedgerColumn<RequestRecord>[]] = [
  { key: 'at', head: 'Time', width: '9rem', cell: (row) => <Moment ms={row.atMs} /> },
  {
    key: 'outcome',
    head: 'Outcome',
    phone: 'end',
    width: '7rem',
    cell: (row) => <OutcomeState outcome={row.outcome} />,
  },
  {
    key: 'principal',
    head: 'Principal',
    cell: (row) =>
      row.principal === null ? (
        <span className="text-ink-3">unknown caller</span>
      ) : (
        <Token kind="principal" bare href={`/principals/${encodeURIComponent(row.principal)}`}>
          {row.principal}
        </Token>
      ),
  },
  {
    key: 'tenant',
    head: 'Tenant',
    phone: 'hide',
    cell: (row) => <span className="font-mono">{row.tenant ?? '—'}</span>,
  },
  {
    key: 'what',
    head: 'Asked for',
    cell: (row) => (
      <>
        <span className="font-mono">{row.operation ?? 'nothing known'}</span>{' '}
        <bdi className="text-ink-2">{targetWords(row)}</bdi>
      </>
    ),
  },
  {
    key: 'code',
    head: 'Code',
    cell: (row) => <span className="font-mono text-ink-2">{row.code ?? row.status}</span>,
  },
  { key: 'took', head: 'Took', align: 'right', cell: (row) => formatUs(row.durationUs) },
  { key: 'ru', head: 'RU', align: 'right', phone: 'hide', cell: (row) => formatRu(row.ru) },
  {
    key: 'release',
    head: 'Release',
    align: 'right',
    phone: 'hide',
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
