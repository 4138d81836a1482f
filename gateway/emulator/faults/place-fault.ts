import type { Fault } from '#gateway/contract/local-cosmos.ts';
import type { OpenRegion } from '#gateway/emulator/regions/open-region.ts';
import type { Account } from '#gateway/emulator/regions/region.ts';
import { covers, coversAccount } from './fault-book.ts';

/** Where faults act beyond single requests. */
export interface Place {
  readonly accounts: Account[];
  readonly regions: OpenRegion[];
}

/** Opens the older views of a lag; makes regions refuse connections. */
export function applyFault(place: Place, fault: Fault): void {
  const { effect } = fault;
  if (effect.kind === 'lag' || effect.kind === 'replicaLag') {
    for (const { name, views } of place.accounts) {
      if (coversAccount(fault, name)) views.open(fault.id, effect.lagMs);
    }
  }
  if (effect.kind !== 'refuse') return;
  for (const open of place.regions) if (isMeant(fault, open)) open.setRefusing(true);
}

/** `remaining` are the faults that stay on. */
export function liftFault(place: Place, fault: Fault, remaining: readonly Fault[]): void {
  for (const { views } of place.accounts) views.close(fault.id);
  if (fault.effect.kind !== 'refuse') return;
  const refusals = remaining.filter(({ effect }) => effect.kind === 'refuse');
  for (const open of place.regions) open.setRefusing(refusals.some((other) => isMeant(other, open)));
}

const isMeant = (fault: Fault, { region }: OpenRegion): boolean => covers(fault, region.account.name, region.name);
