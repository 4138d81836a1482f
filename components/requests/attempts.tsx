import { formatUs } from '#components/charts/duration-axis.ts';
import { formatRu, plural } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Section } from '#components/ui/section.tsx';
import type { RequestRecord } from '#gateway/contract/telemetry.ts';

interface Row {
  readonly at: number;
  readonly attempt: RequestRecord['attempts'][number];
}

const COLUMNS: readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]] = [
  { key: 'at', head: 'Attempt', cell: ({ at }) => at + 1 },
  {
    key: 'status',
    head: 'Cosmos DB said',
    cell: ({ attempt }) => `${attempt.status}${attempt.subStatus === 0 ? '' : ` / ${attempt.subStatus}`}`,
  },
  { key: 'took', head: 'Took', align: 'right', cell: ({ attempt }) => formatUs(attempt.us) },
  { key: 'ru', head: 'RU', align: 'right', phone: 'end', cell: ({ attempt }) => formatRu(attempt.ru) },
];

/** Calls to the store that the request made, failed ones too: each is paid for. */
export function Attempts({ attempts }: { readonly attempts: RequestRecord['attempts'] }) {
  const rows = attempts.map((attempt, at) => ({ at, attempt }));
  return (
    <Section
      title="Store"
      note={attempts.length === 0 ? 'not asked' : plural(attempts.length, 'attempt')}
      frame="ruled"
    >
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">
          The request ended before the store was asked; nothing was read or written.
        </p>
      ) : (
        <Ledger label="Attempts" columns={COLUMNS} rows={rows} rowKey={({ at }) => String(at)} />
      )}
    </Section>
  );
}
