'use client';

import { CosmosView } from '#components/cosmos/cosmos-view.tsx';
import { useShell } from '#components/shell/queries.ts';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { FleetView } from './fleet-view.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { value: 'fleet', label: 'Fleet' },
  { value: 'cosmos', label: 'Local Cosmos' },
];

/** The fleet, and beside it the local Cosmos endpoint where one runs. */
export function GatewaysView() {
  const shell = useShell().data;
  const tabs =
    shell === undefined ? (
      // Its height is kept until it is known whether the endpoint runs here, so that nothing moves.
      <div aria-hidden className="mb-6 h-9 border-line border-b pointer-coarse:h-11" />
    ) : shell.localCosmos ? (
      <Tabs label="Gateways" tabs={TABS} className="mb-6" />
    ) : null;
  return useTab(TABS) === 'cosmos' ? <CosmosView tabs={tabs} /> : <FleetView tabs={tabs} />;
}
