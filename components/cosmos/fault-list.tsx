'use client';

import { messageOf } from '#components/api-client.ts';
import { useAnnouncer } from '#components/ui/announcer.tsx';
import { Button } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { plural } from '#components/ui/format-number.ts';
import { Ledger } from '#components/ui/ledger.tsx';
import type { LedgerColumn } from '#components/ui/ledger-column.ts';
import { Mark } from '#components/ui/mark.tsx';
import { Section } from '#components/ui/section.tsx';
import { Time } from '#components/ui/time.tsx';
import type { Fault } from '#gateway/contract/local-cosmos.ts';
import { faultSentence } from '#server/contract/fault-words.ts';
import { faultText } from './fault-text.ts';
import { NOT_OPERATOR } from './not-operator.ts';
import { useSwitchOff } from './queries.ts';

interface FaultListProps {
  readonly faults: readonly Fault[];
  /** A fault names its account where there is more than one. */
  readonly hasAccounts: boolean;
  readonly canAct: boolean;
}

/** The faults that are on, each as the sentence of its effect, with what it has met. Switching one off asks nothing. */
export function FaultList({ faults, hasAccounts, canAct }: FaultListProps) {
  const switchOff = useSwitchOff();
  const { toast } = useAnnouncer();
  const why = canAct ? undefined : NOT_OPERATOR;
  const off = (which: string, says: string) => switchOff.mutate(which, { onSuccess: () => toast(says) });
  const columns: readonly [LedgerColumn<Fault>, ...LedgerColumn<Fault>[]] = [
    {
      key: 'effect',
      head: 'Effect',
      cell: (fault) => (
        <span className="inline-flex items-baseline gap-2">
          <Mark kind="triangle" className="translate-y-px text-warn" />
          <span className="break-words [overflow-wrap:anywhere]">
            {faultText(fault)}
            {hasAccounts && <span className="text-ink-3"> · {fault.account ?? 'every account'}</span>}
          </span>
        </span>
      ),
    },
    {
      key: 'met',
      head: 'Met',
      align: 'right',
      cell: (fault) => (
        <>
          {fault.effect.kind !== 'refuse' && <span className="tablet:hidden">met </span>}
          {metWords(fault)}
        </>
      ),
    },
    {
      key: 'since',
      head: 'On since',
      align: 'right',
      cell: ({ sinceMs }) => (
        <>
          <span className="tablet:hidden">since </span>
          <Time ms={sinceMs} style="second" />
        </>
      ),
    },
    {
      key: 'act',
      head: '',
      align: 'right',
      phone: 'end',
      cell: (fault) => (
        <Button
          look="quiet"
          disabledWhy={why}
          pending={switchOff.isPending && switchOff.variables === fault.id}
          aria-label={`Switch off: ${faultSentence(fault)}`}
          onClick={() => off(fault.id, `Off: ${faultSentence(fault)}.`)}
        >
          Switch off
        </Button>
      ),
    },
  ];
  return (
    <Section
      title="Faults"
      note={faults.length === 0 ? undefined : `${faults.length} on`}
      frame="ruled"
      acts={
        faults.length > 1 ? (
          <Button
            look="quiet"
            disabledWhy={why}
            pending={switchOff.isPending && switchOff.variables === 'all'}
            onClick={() => off('all', 'All faults are off.')}
          >
            Switch off all
          </Button>
        ) : undefined
      }
    >
      {faults.length === 0 ? (
        <Empty>
          No fault is on. A fault makes the endpoint throttle, answer late, lose replies or refuse connections, as
          Cosmos DB does on a bad day, so that you can watch gateways go on serving.
        </Empty>
      ) : (
        <Ledger label="Faults" columns={columns} rows={faults} rowKey={({ id }) => id} />
      )}
      {switchOff.isError && (
        <p role="alert" className="border-line border-t px-4 py-2 text-danger">
          {messageOf(switchOff.error)}
        </p>
      )}
    </Section>
  );
}

/** Nothing arrives at a region that refuses connections, so nothing can be counted there. */
function metWords({ met, effect }: Fault): string {
  if (effect.kind === 'refuse') return 'not counted';
  return met === 0 ? 'none yet' : plural(met, 'time');
}
