import { formatUs } from '#components/charts/duration-axis.ts';
import { formatRu } from '#components/ui/format-number.ts';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Moment } from '#components/ui/moment.tsx';
import { Token } from '#components/ui/token.tsx';
import type { ListedRequest } from '#server/contract/requests.ts';
import { CallerCell } from './caller.tsx';
import { OutcomeState } from './outcome-state.tsx';
import { targetWords } from './request-words.ts';

/** The list of requests: when, how it ended, who asked for what, how long and how dear. */
export const REQUEST_COLUMNS: readonly [LedgerColumn<ListedRequest>, ...LedgerColumn<ListedRequest>[]] = [
  { key: 'at', head: 'Time', width: '9rem', cell: (row) => <Moment ms={row.atMs} /> },
  {
    key: 'outcome',
    head: 'Outcome',
    phone: 'end',
    cell: (row) => <OutcomeState outcome={row.outcome} code={row.code} />,
  },
  {
    key: 'principal',
    head: 'Principal',
    cell: (row) => <CallerCell record={row} />,
  },
  {
    key: 'tenant',
    head: 'Tenant',
    phone: 'hide',
    from: 'desk',
    cell: (row) => <span className="whitespace-nowrap font-mono">{row.tenant ?? '—'}</span>,
  },
  {
    key: 'what',
    head: 'Asked for',
    phone: 'line',
    cell: (row) => (
      <>
        <span className="whitespace-nowrap font-mono">{row.operation ?? 'nothing known'}</span>{' '}
        <bdi className="break-words text-ink-2">{targetWords(row)}</bdi>
      </>
    ),
  },
  { key: 'took', head: 'Took', align: 'right', cell: (row) => formatUs(row.durationUs) },
  { key: 'ru', head: 'RU', align: 'right', phone: 'hide', cell: (row) => formatRu(row.ru) },
  {
    key: 'release',
    head: 'Release',
    align: 'right',
    phone: 'hide',
    from: 'desk',
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
