'use client';

import { useQuery } from '@tanstack/react-query';
import { Empty } from '#components/ui/empty.tsx';
import { formatCount, plural } from '#components/ui/format-number.ts';
import { formatMs } from '#components/ui/format-time.ts';
import { GatewayStateWord } from '#components/ui/gateway-state-word.tsx';
import { Glyph } from '#components/ui/glyph.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import { useUrlState } from '#components/ui/use-url-state.ts';
import type { GatewayRow } from '#server/contract/releases.ts';
import { fleetSentence } from './fleet-sentence.ts';
import { GatewayPanel } from './gateway-panel.tsx';
import { StoreCell } from './gateway-store.tsx';
import { gatewaysQuery } from './queries.ts';

/** The fleet: which release each gateway serves, how it is doing, when it was last heard. */
export function FleetView({ tabs }: { readonly tabs: React.ReactNode }) {
  const query = useQuery(gatewaysQuery);
  const { search, set } = useUrlState();
  const selected = search.get('row') ?? undefined;
  return (
    <QueryView query={query} label="gateways">
      {({ gateways, target }) => {
        const open = gateways.find((gateway) => gateway.name === selected);
        return (
          <div data-density="dense">
            <PageHead title="Gateways">
              <Sentence>{fleetSentence(gateways, target)}</Sentence>
            </PageHead>
            {tabs}
            <div className="desk:grid desk:grid-cols-[minmax(0,1fr)_auto]">
              <Ruled className="self-start">
                {gateways.length === 0 ? (
                  <Empty>
                    No gateway has connected in the last 24 hours. <code className="font-mono">npm start</code> brings
                    one up; <code className="font-mono">npm run gateway</code> starts another.
                  </Empty>
                ) : (
                  <Ledger
                    label="Gateways"
                    columns={open === undefined ? COLUMNS : NARROW}
                    rows={gateways}
                    rowKey={(gateway) => gateway.name}
                    onPeek={(gateway) => set({ row: gateway.name })}
                    selectedKey={selected}
                  />
                )}
              </Ruled>
              <GatewayPanel gateway={open} target={target} onClose={() => set({ row: null })} />
            </div>
          </div>
        );
      }}
    </QueryView>
  );
}

const NAME: LedgerColumn<GatewayRow> = {
  key: 'name',
  head: 'Gateway',
  cell: (row) => (
    <>
      <Glyph kind="gateway" className="text-ink-3" />
      <bdi className="whitespace-nowrap font-mono">{row.name}</bdi>
    </>
  ),
};

const COLUMNS: readonly [LedgerColumn<GatewayRow>, ...LedgerColumn<GatewayRow>[]] = [
  NAME,
  { key: 'state', head: 'State', phone: 'end', cell: (row) => <GatewayStateWord state={row.state} /> },
  {
    key: 'serves',
    head: 'Serves',
    cell: (row) =>
      row.serves === null ? (
        <span className="text-ink-3">nothing yet</span>
      ) : (
        <Token kind="release" bare href={`/releases/${row.serves}`}>
          r{row.serves}
        </Token>
      ),
  },
  {
    key: 'loop',
    head: 'Loop delay p99',
    align: 'right',
    cell: (row) => (
      <>
        <span className="tablet:hidden">loop p99 </span>
        {row.workers.length === 0 ? '—' : formatMs(Math.max(...row.workers.map((each) => each.loopDelayP99Ms)))}
      </>
    ),
  },
  {
    key: 'inFlight',
    head: 'In flight',
    align: 'right',
    cell: (row) => (
      <>
        {formatCount(row.workers.reduce((sum, each) => sum + each.inFlight, 0))}
        <span className="tablet:hidden"> in flight</span>
      </>
    ),
  },
  {
    key: 'backlog',
    head: 'Audit backlog',
    align: 'right',
    phone: 'hide',
    from: 'desk',
    cell: (row) => (row.auditBacklog === 0 ? 'none' : plural(row.auditBacklog, 'row')),
  },
  {
    key: 'store',
    head: 'Store',
    cell: (row) => <StoreCell gateway={row} />,
  },
  {
    key: 'heard',
    head: 'Last heard',
    align: 'right',
    from: 'desk',
    cell: (row) => <Time ms={row.lastHeardMs} style="ago" />,
  },
];

/** What stays beside an open panel. */
const NARROW: typeof COLUMNS = [NAME, ...COLUMNS.filter(({ key }) => ['state', 'serves', 'heard'].includes(key))];
