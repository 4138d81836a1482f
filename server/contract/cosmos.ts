import { z } from 'zod';
import { Budget, Failover, type FaultEffect, LocalCosmosState, NewFault } from '#gateway/contract/local-cosmos.ts';

/**
 * GET /api/cosmos: the local Cosmos endpoint as `npm start` runs it. `absent`: this installation stores in an Azure
 * account, so there is none. `away`: it runs here and does not answer.
 */
export const LocalCosmos = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('away'), reason: z.string(), canAct: z.boolean() }),
  z.object({ kind: z.literal('here'), state: LocalCosmosState, canAct: z.boolean() }),
]);
export type LocalCosmos = z.infer<typeof LocalCosmos>;

/** What narrows a fault to some of the requests. */
export const FAULT_FILTERS = ['operations', 'partition', 'percent', 'times'] as const;
export type FaultFilter = (typeof FAULT_FILTERS)[number];

/** These meet one kind of request and no other. */
const NO_OPERATIONS: readonly FaultFilter[] = ['partition', 'percent', 'times'];

/** What each effect can be narrowed by, besides its region. A region that refuses connections refuses all of them. */
export const FILTERS_OF: Readonly<Record<FaultEffect['kind'], readonly FaultFilter[]>> = {
  refuse: [],
  reset: FAULT_FILTERS,
  hang: FAULT_FILTERS,
  slow: FAULT_FILTERS,
  status: FAULT_FILTERS,
  batchStatus: NO_OPERATIONS,
  html: FAULT_FILTERS,
  empty: FAULT_FILTERS,
  commitThenReset: FAULT_FILTERS,
  delayedDelivery: FAULT_FILTERS,
  lag: NO_OPERATIONS,
  replicaLag: NO_OPERATIONS,
  keepExpired: NO_OPERATIONS,
};

const FILTER_WORDS: Readonly<Record<FaultFilter, string>> = {
  operations: 'operations',
  partition: 'partition',
  percent: 'share of requests',
  times: 'number of times',
};

/** POST /api/cosmos/faults (operator, admin): a fault to switch on, with nothing that its effect does not take. */
export const SwitchOnFault = NewFault.superRefine((fault, ctx) => {
  const given: Readonly<Record<FaultFilter, boolean>> = {
    operations: fault.operations !== undefined,
    partition: fault.partition !== undefined,
    percent: fault.percent !== 100,
    times: fault.times !== undefined,
  };
  for (const filter of FAULT_FILTERS) {
    if (!given[filter] || FILTERS_OF[fault.effect.kind].includes(filter)) continue;
    ctx.addIssue({ code: 'custom', path: [filter], message: `This effect takes no ${FILTER_WORDS[filter]}.` });
  }
});

/** DELETE /api/cosmos/faults/{id} (operator, admin) */
export const SwitchOffFault = z.object({ id: z.string().min(1).max(100) });
/** POST /api/cosmos/failover (operator, admin): the account's writes move to the region. */
export const MoveWrites = Failover;
/** PUT /api/cosmos/budget (operator, admin): request units a second that one partition may use; null is no limit. */
export const SetBudget = Budget;
