import type { z } from 'zod';
import { type Corrupt, type Fault, type LocalCosmosState, NewFault } from '#gateway/contract/local-cosmos.ts';
import { faultProblem } from '#gateway/emulator/faults/check-fault.ts';
import type { FaultBook } from '#gateway/emulator/faults/fault-book.ts';
import { type Account, urlOf } from '#gateway/emulator/regions/region.ts';
import { ControlRefused } from './control-refused.ts';
import { corruptItem } from './corrupt-item.ts';

/** What can be changed while the endpoint runs: by its admin port, and by a test in the same process. */
export interface Controls {
  readonly faults: FaultSwitches;
  state(): LocalCosmosState;
  /** Moves the account's writes to a region. What was committed is there already: nothing is lost. */
  failover(account: string, region: string): void;
  /** Request units a second and partition; null for no limit. */
  setBudget(account: string, partitionRuPerSecond: number | null): void;
  /** Changes one character of a string inside a stored item, and nothing else of it. */
  corrupt(target: z.infer<typeof Corrupt>): Promise<void>;
}

export interface FaultSwitches {
  list(): readonly Fault[];
  /** In force when this returns. */
  add(fault: z.input<typeof NewFault>): Fault;
  /** Out of force when the promise resolves. Refuses (404) an id that is not there. */
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

/** More than anyone can follow. */
const MAX_FAULTS = 100;

export interface Controlled {
  readonly accounts: readonly Account[];
  readonly faults: FaultBook;
  /** Resolves once every region listens, or does not, as the faults say. */
  readonly settled: () => Promise<void>;
}

/** Refuses with `ControlRefused` what cannot be done. */
export function createControls({ accounts, faults, settled }: Controlled): Controls {
  return {
    faults: {
      list: faults.list,
      add(input) {
        const fault = NewFault.parse(input);
        const problem = faultProblem(fault);
        if (problem !== undefined) throw new ControlRefused(400, problem);
        checkPlace(accounts, fault);
        if (faults.list().length >= MAX_FAULTS) throw new ControlRefused(409, `${MAX_FAULTS} faults are on already.`);
        return faults.add(fault);
      },
      async remove(id) {
        if (!faults.remove(id)) throw new ControlRefused(404, `There is no fault ${id}.`);
        await settled();
      },
      async clear() {
        for (const { id } of faults.list()) faults.remove(id);
        await settled();
      },
    },
    state: () => ({ accounts: accounts.map(accountState), faults: [...faults.list()] }),
    failover(name, region) {
      const account = accountNamed(accounts, name);
      requireRegion(account, region);
      account.writeRegion = region;
    },
    setBudget(name, partitionRuPerSecond) {
      accountNamed(accounts, name).partitionRuPerSecond = partitionRuPerSecond;
    },
    corrupt: async (target) => corruptItem(accountNamed(accounts, target.account), target),
  };
}

function accountState(account: Account): LocalCosmosState['accounts'][number] {
  const { name, endpoint, writeRegion, partitionRuPerSecond } = account;
  const regions = account.regions.map((region) => ({
    name: region.name,
    url: urlOf(region),
    requests: region.requests,
    throttled: region.throttled,
  }));
  return { name, consistency: endpoint.consistency, writeRegion, partitionRuPerSecond, regions };
}

/** A fault whose account or region is not there would never be met. */
function checkPlace(accounts: readonly Account[], { account, region }: NewFault): void {
  const meant = account === undefined ? accounts : [accountNamed(accounts, account)];
  if (region === undefined || meant.some(({ regions }) => regions.some(({ name }) => name === region))) return;
  throw new ControlRefused(404, `There is no region ${region}.`);
}

function accountNamed(accounts: readonly Account[], name: string): Account {
  const found = accounts.find((account) => account.name === name);
  if (found === undefined) throw new ControlRefused(404, `There is no account ${name}.`);
  return found;
}

function requireRegion({ name, regions }: Account, region: string): void {
  if (regions.some((entry) => entry.name === region)) return;
  throw new ControlRefused(404, `The account ${name} has no region ${region}.`);
}
