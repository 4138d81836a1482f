'use client';

import { formatCount } from '#components/ui/format-number.ts';
import { formatMs } from '#components/ui/format-time.ts';
import { GatewayStateWord } from '#components/ui/gateway-state-word.tsx';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { RowPanel } from '#components/ui/row-panel.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Time } from '#components/ui/time.tsx';
import { Token } from '#components/ui/token.tsx';
import type { GatewayRow } from '#server/contract/releases.ts';
import { GatewayStore } from './gateway-store.tsx';

interface GatewayPanelProps {
  readonly gateway: GatewayRow | undefined;
  readonly target: number | null;
  readonly onClose: () => void;
}

type Worker = GatewayRow['workers'][number];

const COLUMNS: readonly [LedgerColumn<Worker>, ...LedgerColumn<Worker>[]] = [
  { key: 'worker', head: 'Worker', cell: (worker) => `Worker ${worker.worker}` },
  {
    key: 'inFlight',
    head: 'In flight',
    align: 'right',
    cell: (worker) => labelled(formatCount(worker.inFlight), 'in flight'),
  },
  {
    key: 'p99',
    head: 'Loop p99',
    align: 'right',
    cell: (worker) => labelled(formatMs(worker.loopDelayP99Ms), 'loop p99'),
  },
  {
    key: 'max',
    head: 'Loop max',
    align: 'right',
    from: 'desk',
    cell: (worker) => labelled(formatMs(worker.loopDelayMaxMs), 'max'),
  },
];

/** On a phone a figure stands without its head. */
function labelled(figure: string, label: string) {
  return (
    <>
      {figure}
      <span className="tablet:hidden"> {label}</span>
    </>
  );
}

/** One gateway in full: what it says about the target, where it listens, how it reaches the store, its workers. */
export function GatewayPanel({ gateway, target, onClose }: GatewayPanelProps) {
  return (
    <RowPanel open={gateway !== undefined} onClose={onClose} title={<span className="font-mono">{gateway?.name}</span>}>
      {gateway !== undefined && (
        <div className="grid gap-4">
          <GatewayStateWord state={gateway.state} />
          {gateway.reason !== null && (
            <p>
              It says about r{target}: “{gateway.reason}”
              {gateway.serves !== null && (
                <>
                  {' '}
                  It still serves{' '}
                  <Token kind="release" bare href={`/releases/${gateway.serves}`}>
                    r{gateway.serves}
                  </Token>
                  .
                </>
              )}
            </p>
          )}
          <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-y-1 [&>dt]:text-ink-3">
            <dt>Listens on</dt>
            <dd className="font-mono">{gateway.url}</dd>
            <dt>Version</dt>
            <dd className="font-mono">{gateway.version}</dd>
            <dt>Started</dt>
            <dd>
              <Time ms={gateway.startedAtMs} style="full" />
            </dd>
            <dt>Last heard</dt>
            <dd>
              <Time ms={gateway.lastHeardMs} style="ago" />
            </dd>
            <dt>Audit backlog</dt>
            <dd>{formatCount(gateway.auditBacklog)} rows not shipped yet</dd>
          </dl>
          <GatewayStore gateway={gateway} />
          <Ruled>
            <Ledger
              label={`Workers of ${gateway.name}`}
              columns={COLUMNS}
              rows={gateway.workers}
              rowKey={(worker) => String(worker.worker)}
            />
          </Ruled>
        </div>
      )}
    </RowPanel>
  );
}
