'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, LinkButton } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { plural } from '#components/ui/format-number.ts';
import { Mark } from '#components/ui/mark.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { Ruled } from '#components/ui/ruled.tsx';
import { Sentence } from '#components/ui/sentence.tsx';
import type { LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import type { LocalCosmos } from '#server/contract/cosmos.ts';
import { AccountRegions } from './account-regions.tsx';
import { FaultDialog } from './fault-dialog.tsx';
import { FaultList } from './fault-list.tsx';
import { NOT_OPERATOR } from './not-operator.ts';
import { cosmosQuery } from './queries.ts';

const EVERY_MS = 2_000;

/** The local Cosmos endpoint: its regions, and the faults that it plays. */
export function CosmosView({ tabs }: { readonly tabs: React.ReactNode }) {
  const query = useQuery(cosmosQuery(EVERY_MS));
  // The form keeps what was typed although the endpoint goes away meanwhile.
  const [switching, setSwitching] = useState<LocalCosmosState['accounts']>();
  return (
    <>
      <QueryView query={query} label="the local Cosmos endpoint">
        {(cosmos) => <Cosmos cosmos={cosmos} tabs={tabs} onSwitch={setSwitching} />}
      </QueryView>
      {switching !== undefined && <FaultDialog accounts={switching} onClose={() => setSwitching(undefined)} />}
    </>
  );
}

interface CosmosProps {
  readonly cosmos: LocalCosmos;
  readonly tabs: React.ReactNode;
  readonly onSwitch: (accounts: LocalCosmosState['accounts']) => void;
}

function Cosmos({ cosmos, tabs, onSwitch }: CosmosProps) {
  switch (cosmos.kind) {
    case 'absent':
      return (
        <>
          <PageHead title="Local Cosmos" />
          {tabs}
          <Absent />
        </>
      );
    case 'away':
      return (
        <>
          <PageHead title="Local Cosmos" />
          {tabs}
          <Away reason={cosmos.reason} />
        </>
      );
    case 'here':
      return <Here {...cosmos} tabs={tabs} onSwitch={onSwitch} />;
  }
}

function Absent() {
  return (
    <Ruled>
      <Empty acts={<LinkButton href="/gateways">See the gateways</LinkButton>}>
        No local Cosmos endpoint runs here: this installation stores in an account of Azure Cosmos DB. The endpoint is
        for development and tests; it has two regions on one machine and plays the faults of Cosmos DB.{' '}
        <code className="font-mono">npm start</code> without <code className="font-mono">COSMOS_ENDPOINT</code> brings
        it up.
      </Empty>
    </Ruled>
  );
}

function Away({ reason }: { readonly reason: string }) {
  return (
    <Ruled>
      <div role="alert" className="flex gap-2 px-4 py-8">
        <Mark kind="cross" className="mt-1.5 text-danger" />
        <Sentence size="prose">
          {reason} <code className="font-mono">npm start</code> starts it again by itself, without faults; until then
          gateways answer <code className="font-mono">store_unavailable</code>. This page asks every 2 s.
        </Sentence>
      </div>
    </Ruled>
  );
}

type HereProps = Omit<CosmosProps, 'cosmos'> & Omit<Extract<LocalCosmos, { kind: 'here' }>, 'kind'>;

function Here({ state, canAct, tabs, onSwitch }: HereProps) {
  const { accounts, faults } = state;
  return (
    <>
      <PageHead
        title="Local Cosmos"
        acts={
          <Button look="primary" disabledWhy={canAct ? undefined : NOT_OPERATOR} onClick={() => onSwitch(accounts)}>
            Switch on a fault
          </Button>
        }
      >
        <Sentence>
          {accounts.map(({ name, writeRegion, regions }) => (
            <span key={name}>
              Gateways store in {name}, {plural(regions.length, 'region')} on this machine; {writeRegion} takes the
              writes.{' '}
            </span>
          ))}
        </Sentence>
      </PageHead>
      {tabs}
      <Ruled>
        <FaultList faults={faults} hasAccounts={accounts.length > 1} canAct={canAct} />
        {accounts.map((account) => (
          <AccountRegions key={account.name} account={account} faults={faults} canAct={canAct} />
        ))}
      </Ruled>
    </>
  );
}
