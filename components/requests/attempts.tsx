import { formatUs } from '#components/charts/duration-axis.ts';
import { formatRu, plural } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Section } from '#components/ui/section.tsx';
import type { AttemptRecord, RequestRecord } from '#gateway/contract/telemetry.ts';
import { answerWords, regionsOf } from './attempt-words.ts';

interface Row {
  readonly at: number;
  readonly attempt: AttemptRecord;
}

const FIRST: LedgerColumn<Row> = { key: 'at', head: 'Attempt', cell: ({ at }) => at + 1 };
const REST: readonly LedgerColumn<Row>[] = [
  {
    key: 'region',
    head: 'Region',
    cell: ({ attempt }) => (
      <>
        {attempt.region}
        {attempt.hedge && <span className="text-ink-3"> · hedge</span>}
      </>
    ),
  },
  { key: 'status', head: 'Cosmos DB said', cell: ({ attempt }) => answerWords(attempt) },
  { key: 'took', head: 'Took', align: 'right', cell: ({ attempt }) => formatUs(attempt.us) },
  { key: 'ru', head: 'RU', align: 'right', phone: 'end', cell: ({ attempt }) => formatRu(attempt.ru) },
];

const COLUMNS: readonly [LedgerColumn<Row>, ...LedgerColumn<Row>[]] = [FIRST, ...REST];
/** Records of older gateways name no region. */
const WITHOUT_REGION: typeof COLUMNS = [FIRST, ...REST.filter(({ key }) => key !== 'region')];

/** Calls to the store that the request made, failed ones too: each is paid for. */
export function Attempts({
  record: { attempts, cache },
}: {
  readonly record: Pick<RequestRecord, 'attempts' | 'cache'>;
}) {
  const regions = regionsOf(attempts);
  const rows = attempts.map((attempt, at) => ({ at, attempt }));
  return (
    <Section
      title="Store"
      note={
        attempts.length === 0
          ? cache === 'hit'
            ? 'from the cache'
            : 'not asked'
          : `${plural(attempts.length, 'attempt')}${regions.length === 0 ? '' : ` in ${regions.join(' and ')}`}`
      }
      frame="ruled"
    >
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">
          {cache === 'hit'
            ? 'The cache had what was asked for; the store was not asked.'
            : 'The request ended before the store was asked; nothing was read or written.'}
        </p>
      ) : (
        <Ledger
          label="Attempts"
          columns={regions.length === 0 ? WITHOUT_REGION : COLUMNS}
          rows={rows}
          rowKey={({ at }) => String(at)}
        />
      )}
    </Section>
  );
}
