import { useQuery } from '@tanstack/react-query';
import { cosmosQuery } from '#components/cosmos/queries.ts';
import { TextLink } from '#components/ui/text-link.tsx';
import { Time } from '#components/ui/time.tsx';
import type { Shell } from '#server/contract/shell.ts';
import { Bar } from './bar.tsx';

/** A switch is told by the live stream; this hears of a fault that went off by itself. */
const EVERY_MS = 10_000;

/** How many faults are on at the local Cosmos endpoint; 0 where none runs. */
export function useFaultsOn(): number {
  const cosmos = useQuery(cosmosQuery(EVERY_MS)).data;
  return cosmos?.kind === 'here' ? cosmos.state.faults.length : 0;
}

interface WritesAwayProps extends NonNullable<Shell['cannotWrite']> {
  readonly faults: number;
}

/** No gateway can write. */
export function WritesAwayBar({ region, account, sinceMs, faults }: WritesAwayProps) {
  return (
    <Bar tone="danger">
      Nothing can be written since <Time ms={sinceMs} style="second" />:{' '}
      <TextLink href="/gateways">
        {region} of {account}
      </TextLink>{' '}
      answers no gateway.
      {faults > 0 && (
        <>
          {' '}
          <FaultsSentence faults={faults} />
        </>
      )}
    </Bar>
  );
}

/** Somebody is trying out faults: what is odd may be one of them. */
export function FaultsBar({ faults }: { readonly faults: number }) {
  return (
    <Bar tone="warn">
      <FaultsSentence faults={faults} />
    </Bar>
  );
}

function FaultsSentence({ faults }: { readonly faults: number }) {
  return (
    <>
      {faults === 1 ? 'A fault is' : `${faults} faults are`} on at the{' '}
      <TextLink href="/gateways?tab=cosmos">local Cosmos endpoint</TextLink>.
    </>
  );
}
