import { Ruled } from '#components/ui/ruled.tsx';
import { Section } from '#components/ui/section.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import { Time } from '#components/ui/time.tsx';
import type { StoreRegion } from '#gateway/contract/machine-api.ts';
import type { GatewayRow } from '#server/contract/releases.ts';
import { RegionState } from './region-state.tsx';
import { attemptWords, awayWords, connectionWords, hedgeWords, reuseWords } from './region-words.ts';

/** How a gateway reaches the store: region by region, what its workers see together since it started. */
export function GatewayStore({ gateway }: { readonly gateway: GatewayRow }) {
  const { storeRegions, storeReachable, storeMessage, state, lastHeardMs, startedAtMs } = gateway;
  return (
    <Section
      title="Store"
      note={
        state === 'silent' ? (
          <>
            as told at <Time ms={lastHeardMs} style="second" />, before it fell silent
          </>
        ) : (
          <>
            since its start at <Time ms={startedAtMs} />
          </>
        )
      }
    >
      <div className="grid gap-2">
        {!storeReachable && <p className="text-danger">Away: {storeMessage}</p>}
        {storeRegions.length === 0 ? (
          <p className="text-ink-3">
            {storeReachable ? 'It reaches the store. ' : ''}It tells no regions: its build, {gateway.version}, is older
            than this page.
          </p>
        ) : (
          <Ruled>
            {storeRegions.map((region) => (
              <Region key={`${region.account} ${region.region}`} region={region} />
            ))}
          </Ruled>
        )}
      </div>
    </Section>
  );
}

function Region({ region }: { readonly region: StoreRegion }) {
  const reuse = reuseWords(region);
  return (
    <section aria-label={`Region ${region.region} of ${region.account}`} className="px-3 py-2.5">
      <div className="mb-1 flex flex-wrap items-baseline gap-x-2">
        <h4 className="font-medium">{region.region}</h4>
        <span className="text-ink-3 text-meta">
          {region.account}
          {region.takesWrites && ' · takes writes'}
        </span>
        <span className="ml-auto">
          <RegionState region={region} />
        </span>
      </div>
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-0.5 tabular-nums [&>dt]:text-ink-3">
        <dt>Connections</dt>
        <dd>
          {connectionWords(region)}
          {reuse !== null && <span className="text-ink-3"> · {reuse}</span>}
        </dd>
        <dt>Attempts</dt>
        <dd>{attemptWords(region)}</dd>
        <dt>Hedges</dt>
        <dd>{hedgeWords(region)}</dd>
      </dl>
    </section>
  );
}

/** The store in one cell of the fleet's ledger. */
export function StoreCell({ gateway: { state, storeReachable, storeRegions } }: { readonly gateway: GatewayRow }) {
  const away = awayWords(storeRegions);
  if (state === 'silent') {
    return (
      <span className="text-ink-3">
        <span className="tablet:hidden">store </span>not known
      </span>
    );
  }
  if (!storeReachable) {
    return (
      <StateWord mark="cross" tone="danger">
        Away
      </StateWord>
    );
  }
  return away === null ? (
    <StateWord mark="check" tone="ok">
      Reachable
    </StateWord>
  ) : (
    <StateWord mark="triangle" tone="warn">
      {away}
    </StateWord>
  );
}
