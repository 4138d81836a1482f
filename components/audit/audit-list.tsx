'use client';

import { useQuery } from '@tanstack/react-query';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { NewRows } from '#components/ui/new-rows.tsx';
import { PagedLedger } from '#components/ui/paged-ledger.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Time } from '#components/ui/time.tsx';
import { useHeldPage } from '#components/ui/use-held-page.ts';
import type { UrlChange } from '#components/ui/use-url-state.ts';
import type { AuditEvent } from '#server/contract/audit.ts';
import { AUDIT_COLUMNS, keepColumns } from './audit-columns.tsx';
import { withoutTimes } from './audit-keys.ts';
import { AuditPanel } from './audit-panel.tsx';
import { foldRefusals } from './fold-refusals.ts';
import { type AuditListQuery, type LoadedAudit, nearestRowQuery } from './queries.ts';

interface AuditListProps {
  readonly page: LoadedAudit;
  readonly asked: AuditListQuery;
  /** The rows are of the question before; the answer is on its way. */
  readonly isOther: boolean;
  readonly search: URLSearchParams;
  readonly set: (change: UrlChange) => void;
}

/** What has room beside the panel, which says the rest. */
const BESIDE_PANEL = keepColumns(AUDIT_COLUMNS, ['who', 'what']);

const idOf = ({ id }: AuditEvent): string => id;

/** One page of the log with the panel of the row that is open. New rows wait above it. */
export function AuditList({ page, asked, isOther, search, set }: AuditListProps) {
  const held = useHeldPage(`${JSON.stringify(asked)} ${isOther}`, page.items, idOf);
  const rows = foldRefusals(held.rows);
  const open = search.get('row');
  const opened = open === null ? undefined : rows.find(({ events }) => events.some(({ id }) => id === open));
  if (page.items.length === 0) {
    return (
      <Ruled>
        <NoRows asked={asked} set={set} />
      </Ruled>
    );
  }
  return (
    <>
      {asked.cursor === undefined && (
        <NewRows fresh={held.fresh} isAll={held.fresh === page.items.length} noun="row" onShow={held.release} />
      )}
      <div className="desk:grid desk:grid-cols-[minmax(0,1fr)_auto]">
        <Ruled className="self-start">
          <PagedLedger
            label="Audit rows"
            columns={opened === undefined ? AUDIT_COLUMNS : BESIDE_PANEL}
            rows={rows}
            rowKey={({ event }) => event.id}
            onPeek={({ event }) => set({ row: event.id })}
            selectedKey={opened?.event.id}
            page={page}
            isTurning={isOther}
            noun="rows"
          />
        </Ruled>
        <AuditPanel row={opened} onClose={() => set({ row: null })} />
      </div>
    </>
  );
}

interface NoRowsProps {
  readonly asked: AuditListQuery;
  readonly set: (change: UrlChange) => void;
}

function NoRows({ asked, set }: NoRowsProps) {
  const { tab, filter } = asked;
  const timeless = withoutTimes(filter);
  const nearest = useQuery(nearestRowQuery({ tab, filter: timeless }, timeless !== filter)).data?.items[0];
  if (filter === '') {
    return (
      <Empty
        {...(tab === 'everything'
          ? {}
          : { acts: <Button onClick={() => set({ tab: null, cursor: null })}>Show everything</Button> })}
      >
        {tab === 'everything'
          ? 'No row yet. The log keeps who changed what in the console, and which requests gateways refused or wrote.'
          : 'No row of this kind yet.'}
      </Empty>
    );
  }
  const clear = <Button onClick={() => set({ filter: null, cursor: null })}>Clear filters</Button>;
  if (nearest === undefined) {
    return (
      <Empty acts={clear}>
        No row matches <code className="font-mono">{filter}</code>.
      </Empty>
    );
  }
  return (
    <Empty
      acts={
        <>
          <Button onClick={() => set({ filter: timeless === '' ? null : timeless, cursor: null })}>
            Show it without a time
          </Button>
          {clear}
        </>
      }
    >
      No row matches in this time. The newest match is at <Time ms={nearest.atMs} style="full" />.
    </Empty>
  );
}
