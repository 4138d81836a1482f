'use client';

import { useQuery } from '@tanstack/react-query';
import { ConsoleError } from '#components/api-client.ts';
import { Failed } from '#components/ui/failed.tsx';
import { FilterLine } from '#components/ui/filter-line.tsx';
import { countWords } from '#components/ui/list-place.ts';
import { Loading } from '#components/ui/loading.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Stale } from '#components/ui/stale.tsx';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { useNews } from '#components/ui/use-news.ts';
import { useUrlState } from '#components/ui/use-url-state.ts';
import { AUDIT_TABS } from '#server/contract/audit.ts';
import { AUDIT_KEYS } from './audit-keys.ts';
import { AuditList } from './audit-list.tsx';
import { faultOf } from './filter-fault.ts';
import { FilterFaultLine } from './filter-fault-line.tsx';
import { type AuditListQuery, auditQuery } from './queries.ts';
import { Wholeness } from './wholeness.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'everything', label: 'Everything' },
  { value: 'changes', label: 'Changes' },
  { value: 'refusals', label: 'Refusals' },
  { value: 'writes', label: 'Writes' },
  { value: 'agents', label: 'Agents' },
];

/** The log: who did what, because of what, and how far it is whole. */
export function AuditView() {
  const { search, set } = useUrlState();
  const tab = useTab(TABS);
  const asked: AuditListQuery = {
    tab: AUDIT_TABS.find((known) => known === tab) ?? 'everything',
    filter: search.get('filter') ?? '',
    cursor: search.get('cursor') ?? undefined,
  };
  const query = useQuery(auditQuery(asked));
  const fault = query.error instanceof ConsoleError ? faultOf(asked.filter, query.error.fields) : undefined;
  const answer = query.isPlaceholderData || fault !== undefined ? undefined : query.data;
  useNews(answer && countWords(answer.total, 'rows'), { key: `${asked.tab} ${asked.filter}` });
  const commit = (text: string) => set({ filter: text === '' ? null : text, cursor: null, row: null });
  return (
    <>
      <PageHead title="Audit">
        <Wholeness page={query.data} />
        {query.isRefetchError && fault === undefined && <Stale sinceMs={query.dataUpdatedAt} />}
      </PageHead>
      <Tabs label="Parts of the log" tabs={TABS} className="mb-3" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <FilterLine
          label="Filter audit rows"
          example="tenant:chat after:13:30 -did:wrote"
          keys={AUDIT_KEYS}
          value={asked.filter}
          onCommit={commit}
          error={fault?.message}
        />
        {fault !== undefined && <FilterFaultLine fault={fault} />}
        {query.isError && fault === undefined && query.data === undefined && (
          <Ruled>
            <Failed error={query.error} onRetry={() => void query.refetch()} />
          </Ruled>
        )}
        {query.isPending && (
          <Ruled>
            <Loading label="audit rows" rows={14} />
          </Ruled>
        )}
        {query.data !== undefined && fault === undefined && (
          <AuditList page={query.data} asked={asked} isOther={query.isPlaceholderData} set={set} search={search} />
        )}
      </div>
    </>
  );
}
