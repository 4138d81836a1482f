'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { isNotFound } from '#components/api-client.ts';
import { definitionsQuery } from '#components/definitions/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Failed } from '#components/ui/failed.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { ScopeSelect } from '#components/ui/scope-bar.tsx';
import { Stale } from '#components/ui/stale.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { useUrlState, withParams } from '#components/ui/use-url-state.ts';
import type { TenantLatency } from '#server/contract/latency.ts';
import { Figures } from './figures.tsx';
import { FiguresShape } from './figures-shape.tsx';
import { type LatencyScope, readScope } from './latency-scope.ts';
import { LatencySentence } from './latency-sentence.tsx';
import { tenantLatencyQuery } from './queries.ts';
import { ScopeControls } from './scope-controls.tsx';
import { useHold } from './use-hold.ts';
import { Operations, Slowest } from './worst-ledgers.tsx';

/** Latency of one tenant: the sentence, what is shown, percentiles, distribution and outcomes, the worst. */
export function TenantLatencyView({ tenant }: { readonly tenant: string }) {
  const { search, set } = useUrlState();
  const scope = readScope(search);
  const query = useQuery(tenantLatencyQuery(tenant, scope));
  const { shown, isHeld, handlers } = useHold(`${tenant}?${search}`, query.data);
  const path = `/latency/${encodeURIComponent(tenant)}`;
  if (shown === undefined && isNotFound(query.error)) return <Failed error={query.error} />;
  return (
    <>
      <PageHead
        glyph="tenant"
        title={<span className="font-mono">{tenant}</span>}
        state={<TextLink href={`/tenants/${encodeURIComponent(tenant)}`}>Tenant</TextLink>}
      >
        {shown !== undefined && <LatencySentence sentence={shown.sentence} fromMs={shown.fromMs} />}
        {query.isRefetchError && <Stale sinceMs={query.dataUpdatedAt} />}
      </PageHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <ScopeControls scope={scope} set={set} span={shown} isHeld={isHeld}>
          <TenantSelect tenant={tenant} search={search} />
        </ScopeControls>
        {shown === undefined && query.isError && (
          <Ruled>
            <Failed error={query.error} onRetry={() => void query.refetch()} />
          </Ruled>
        )}
        {shown === undefined && !query.isError && <FiguresShape />}
        {shown !== undefined && (
          <div {...handlers} className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {shown.requests === 0 && <NoRequests data={shown} scope={scope} set={set} />}
            <Figures data={shown} scope={scope} onScale={(scale) => set({ scale: scale === 'log' ? null : scale })} />
            {shown.requests > 0 && (
              <Ruled>
                <Operations data={shown} hrefOf={(operation) => `${path}?${withParams(search, { operation })}`} />
                <Slowest rows={shown.slowest} />
              </Ruled>
            )}
          </div>
        )}
      </div>
    </>
  );
}

function TenantSelect({ tenant, search }: { readonly tenant: string; readonly search: URLSearchParams }) {
  const router = useRouter();
  const tenants = useQuery(definitionsQuery({ kind: 'tenant', limit: 200 })).data?.items ?? [];
  const names = tenants.map(({ name }) => name);
  return (
    <ScopeSelect
      label="Tenant"
      value={tenant}
      options={(names.includes(tenant) ? names : [tenant, ...names]).map((value) => ({ value, label: value }))}
      onChange={(next) => router.push(`/latency/${encodeURIComponent(next)}${search.size === 0 ? '' : `?${search}`}`)}
    />
  );
}

interface NoRequestsProps {
  readonly data: TenantLatency;
  readonly scope: LatencyScope;
  readonly set: ReturnType<typeof useUrlState>['set'];
}

/** No request fits: because the scope is narrow, because the time is, or because nobody has called yet. */
function NoRequests({ data, scope, set }: NoRequestsProps) {
  const isNarrow = scope.operation !== 'all' || scope.gateway !== 'all' || scope.outcome !== 'served';
  const others = data.points.reduce(
    (sum, { outcomes }) => sum + Object.values(outcomes).reduce((all, count) => all + count, 0),
    0,
  );
  const widen = <Button onClick={() => set({ range: '24h', from: null, to: null })}>Show the last 24 h</Button>;
  return (
    <Ruled>
      {isNarrow || others > 0 ? (
        <Empty
          acts={
            <>
              <Button onClick={() => set({ operation: null, gateway: null, outcome: 'all' })}>
                Show all requests of this time
              </Button>
              {widen}
            </>
          }
        >
          No request fits this scope. {others > 0 && 'There were others in this time; they are in the outcomes below.'}
        </Empty>
      ) : (
        <Empty acts={widen}>
          {data.tenant} was not called in this time. <code className="font-mono">npm run traffic</code> sends a sample
          load; the page of a type has a <code className="font-mono">curl</code> that works as pasted.
        </Empty>
      )}
    </Ruled>
  );
}
