'use client';

import { useQuery } from '@tanstack/react-query';
import { CosmosView } from '#components/cosmos/cosmos-view.tsx';
import { cosmosQuery } from '#components/cosmos/queries.ts';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { FleetView } from './fleet-view.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'fleet', label: 'Fleet' },
  { value: 'cosmos', label: 'Local Cosmos' },
];

const EVERY_MS = 10_000;

/** The fleet, and beside it the local Cosmos endpoint where one runs. */
export function GatewaysView() {
  const cosmos = useQuery(cosmosQuery(EVERY_MS)).data;
  const tabs =
    cosmos === undefined ? (
      // Its height is kept until it is known whether the endpoint runs here, so that nothing moves.
      <div aria-hidden className="mb-6 h-9 border-line border-b pointer-coarse:h-11" />
    ) : cosmos.kind !== 'absent' ? (
      <Tabs label="Gateways" tabs={TABS} className="mb-6" />
    ) : null;
  return useTab(TABS) === 'cosmos' ? <CosmosView tabs={tabs} /> : <FleetView tabs={tabs} />;
}
