import { Empty } from '#components/ui/empty.tsx';
import { formatCount } from '#components/ui/format-number.ts';
import { formatSpan } from '#components/ui/format-time.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Section } from '#components/ui/section.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import type { BackgroundRange } from '#server/contract/background.ts';

/** Who works on which range of the change feed, and how far it is read. */
export function BackgroundRanges({ ranges }: { readonly ranges: readonly BackgroundRange[] }) {
  return (
    <Section title="Change feed" note="every write of the store, in ranges that gateways share" frame="ruled">
      {ranges.length === 0 ? (
        <Empty>No gateway has told of its work yet. One that runs does so within seconds.</Empty>
      ) : (
        <Ledger label="Ranges of the change feed" columns={COLUMNS} rows={ranges} rowKey={({ range }) => range} />
      )}
    </Section>
  );
}

const COLUMNS: readonly [LedgerColumn<BackgroundRange>, ...LedgerColumn<BackgroundRange>[]] = [
  { key: 'range', head: 'Range', cell: ({ range }) => <span className="font-mono">{range}</span> },
  { key: 'gateway', head: 'Gateway', cell: ({ gateway }) => <bdi className="font-mono">{gateway}</bdi> },
  { key: 'state', head: 'State', phone: 'end', cell: (range) => <State range={range} /> },
  {
    key: 'repaired',
    head: 'Finished since it took over',
    align: 'right',
    cell: ({ repaired }) => (
      <>
        {formatCount(repaired)}
        <span className="tablet:hidden"> finished</span>
      </>
    ),
  },
  {
    key: 'heard',
    head: 'Last told',
    align: 'right',
    cell: ({ reportedAtMs }) => <Time ms={reportedAtMs} style="ago" />,
  },
];

function State({ range }: { readonly range: BackgroundRange }) {
  const { isSilent, problem, lagMs } = range;
  if (isSilent)
    return (
      <StateWord tone="warn" mark="dashed">
        Not heard of
      </StateWord>
    );
  if (problem !== null)
    return (
      <StateWord tone="danger" mark="cross">
        {problem}
      </StateWord>
    );
  if (lagMs === null) return 'begins';
  if (lagMs > 0) return <>{formatSpan(lagMs)} behind</>;
  return (
    <StateWord tone="ok" mark="check">
      Read to its end
    </StateWord>
  );
}
