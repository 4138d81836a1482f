'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { formatCount } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Section } from '#components/ui/section.tsx';
import { StateWord } from '#components/ui/state-word.tsx';
import type { Fault, LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import { BudgetDialog } from './budget-dialog.tsx';
import { MoveWritesDialog } from './move-writes-dialog.tsx';
import { NOT_OPERATOR } from './not-operator.ts';
import { CONSISTENCY_WORDS, hasFault } from './region-words.ts';

type Account = LocalCosmosState['accounts'][number];
type Region = Account['regions'][number];

interface AccountRegionsProps {
  readonly account: Account;
  readonly faults: readonly Fault[];
  readonly canAct: boolean;
}

/** An account of the endpoint: its regions, which of them takes writes, what they answered, what a partition may use. */
export function AccountRegions({ account, faults, canAct }: AccountRegionsProps) {
  const [asked, setAsked] = useState<{ readonly act: 'budget' } | { readonly act: 'move'; readonly to: string }>();
  const why = canAct ? undefined : NOT_OPERATOR;
  const budget = account.partitionRuPerSecond;
  const columns: readonly [LedgerColumn<Region>, ...LedgerColumn<Region>[]] = [
    { key: 'name', head: 'Region', cell: ({ name }) => <span className="font-medium">{name}</span> },
    {
      key: 'state',
      head: 'State',
      cell: ({ name }) =>
        hasFault(faults, { account: account.name, region: name }) ? (
          <StateWord mark="triangle" tone="warn">
            Has faults
          </StateWord>
        ) : (
          <StateWord mark="check" tone="ok">
            Answers
          </StateWord>
        ),
    },
    { key: 'role', head: 'Takes', cell: ({ name }) => (name === account.writeRegion ? 'reads and writes' : 'reads') },
    { key: 'requests', head: 'Requests', align: 'right', cell: ({ requests }) => counted(requests, 'requests') },
    { key: 'throttled', head: 'Throttled', align: 'right', cell: ({ throttled }) => counted(throttled, 'throttled') },
    { key: 'url', head: 'Address', phone: 'hide', cell: ({ url }) => <span className="font-mono">{url}</span> },
    {
      key: 'act',
      head: '',
      align: 'right',
      phone: 'end',
      cell: ({ name }) =>
        name === account.writeRegion ? null : (
          <Button look="quiet" disabledWhy={why} onClick={() => setAsked({ act: 'move', to: name })}>
            Move writes to {name}
          </Button>
        ),
    },
  ];
  const close = () => setAsked(undefined);
  return (
    <Section
      title={`Regions of ${account.name}`}
      note={`${CONSISTENCY_WORDS[account.consistency]} · ${budget === null ? 'no limit' : `${formatCount(budget)}\u00a0RU/s`} a partition`}
      acts={
        <Button look="quiet" disabledWhy={why} onClick={() => setAsked({ act: 'budget' })}>
          Set the budget
        </Button>
      }
      frame="ruled"
    >
      <Ledger
        label={`Regions of ${account.name}`}
        columns={columns}
        rows={account.regions}
        rowKey={({ name }) => name}
      />
      {asked?.act === 'budget' && <BudgetDialog account={account} onClose={close} />}
      {asked?.act === 'move' && <MoveWritesDialog account={account} to={asked.to} onClose={close} />}
    </Section>
  );
}

/** On a phone the figure stands without its head. */
function counted(count: number, words: string) {
  return (
    <>
      {formatCount(count)}
      <span className="tablet:hidden"> {words}</span>
    </>
  );
}
