import { Fault } from '#gateway/contract/local-cosmos.ts';
import { LocalCosmos, MoveWrites, SetBudget, SwitchOnFault } from '../cosmos.ts';
import { type ApiRoutes, Done } from './api-route.ts';

const act = { tag: 'traffic', scope: null, reply: Done, errors: ['cosmos_away', 'not_found'] } as const;

/** Routes of the local Cosmos endpoint: its faults are switched by people. */
export const COSMOS_ROUTES = {
  'GET /api/cosmos': {
    summary: 'The local Cosmos endpoint with its regions and faults.',
    tag: 'traffic',
    scope: null,
    reply: LocalCosmos,
  },
  'POST /api/cosmos/faults': { ...act, summary: 'Switches a fault on.', body: SwitchOnFault, reply: Fault },
  'DELETE /api/cosmos/faults': { ...act, summary: 'Switches all faults off.' },
  'DELETE /api/cosmos/faults/{id}': { ...act, summary: 'Switches a fault off.' },
  'POST /api/cosmos/failover': { ...act, summary: 'Moves the writes to another region.', body: MoveWrites },
  'PUT /api/cosmos/budget': { ...act, summary: 'Sets what one partition may use in a second.', body: SetBudget },
} as const satisfies ApiRoutes;
