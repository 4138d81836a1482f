import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { Fault, type NewFault } from '#gateway/contract/local-cosmos.ts';
import { LocalCosmos, type MoveWrites, type SetBudget } from '#server/contract/cosmos.ts';

const Nothing = z.object({});

/** The local Cosmos endpoint. Faults also go off by themselves and are switched by other ways, so it is asked for as well. */
export const cosmosQuery = (everyMs: number) =>
  queryOptions({
    queryKey: ['cosmos'],
    queryFn: ({ signal }) => apiGet('/api/cosmos', LocalCosmos, { signal }),
    // An installation that has none does not get one while it runs.
    refetchInterval: ({ state }) => (state.data?.kind === 'absent' ? false : everyMs),
  });

/** Switches a fault on. */
export function useSwitchOn() {
  return useAct((fault: NewFault) => apiSend('POST /api/cosmos/faults', Fault, { body: fault }));
}

/** Switches one fault off by its id, or `all`. */
export function useSwitchOff() {
  return useAct((which: string | 'all') =>
    apiSend(
      which === 'all' ? 'DELETE /api/cosmos/faults' : `DELETE /api/cosmos/faults/${encodeURIComponent(which)}`,
      Nothing,
    ),
  );
}

/** Moves an account's writes to a region. */
export function useMoveWrites() {
  return useAct((body: z.infer<typeof MoveWrites>) => apiSend('POST /api/cosmos/failover', Nothing, { body }));
}

/** Sets what one partition of an account may use. */
export function useSetBudget() {
  return useAct((body: z.infer<typeof SetBudget>) => apiSend('PUT /api/cosmos/budget', Nothing, { body }));
}

/** An act on the endpoint; whatever came of it, its state is read again. */
function useAct<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['cosmos'] }) });
}
