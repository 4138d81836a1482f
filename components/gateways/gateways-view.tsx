'use client';

import { useQuery } from '@tanstack/react-query';
import { CosmosView } from '#components/cosmos/cosmos-view.tsx';
import { cosmosQuery } from '#components/cosmos/queries.ts';
import { type Tab, Tabs, useTab } from '#components/ui/tabs.tsx';
import { BackgroundView } from './background-view.tsx';
import { FleetView } from './fleet-view.tsx';

const FLEET: Tab = { value: 'fleet', label: 'Fleet' };
const BACKGROUND: Tab = { value: 'background', label: 'Background work' };
const COSMOS: Tab = { value: 'cosmos', label: 'Local Cosmos' };
const ALL: readonly [Tab, ...Tab[]] = [FLEET, BACKGROUND, COSMOS];

const EVERY_MS = 10_000;

/** The fleet, what it does in the background, and beside them the local Cosmos endpoint where one runs. */
export function GatewaysView() {
  const cosmos = useQuery(cosmosQuery(EVERY_MS)).data;
  // The last one comes when it is known whether the endpoint runs here, so that the others never move.
  const hasCosmos = cosmos !== undefined && cosmos.kind !== 'absent';
  const tabs = <Tabs label="Gateways" tabs={hasCosmos ? ALL : [FLEET, BACKGROUND]} className="mb-6" />;
  const tab = useTab(ALL);
  if (tab === 'background') return <BackgroundView tabs={tabs} />;
  return tab === 'cosmos' ? <CosmosView tabs={tabs} /> : <FleetView tabs={tabs} />;
}
