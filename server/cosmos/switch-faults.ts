import 'server-only';
import { z } from 'zod';
import type { Fault, LocalCosmosState, NewFault } from '#gateway/contract/local-cosmos.ts';
import type { Ctx } from '#server/context.ts';
import type { SwitchOffFault } from '#server/contract/cosmos.ts';
import { faultSentence } from '#server/contract/fault-words.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { addFault, readState, removeFault } from './admin.ts';
import { actAudited, endpointFor } from './operate.ts';

/**
 * POST /api/cosmos/faults: switches a fault on at the local Cosmos endpoint. Operators and admins (`not_permitted`);
 * `invalid_input` for an account or region that it does not have; `cosmos_away`.
 */
export async function switchOnFault(ctx: Ctx, fault: NewFault): Promise<Fault> {
  const endpoint = endpointFor(ctx);
  checkPlace(await readState(endpoint), fault);
  const event = { did: 'switched on', what: `a fault: ${faultSentence(fault)}`, after: fault };
  return actAudited(ctx, event, () => addFault(endpoint, fault));
}

/** DELETE /api/cosmos/faults/{id}: switches one off. `not_found` when it is off already, e.g. by its number of times. */
export async function switchOffFault(ctx: Ctx, { id }: z.infer<typeof SwitchOffFault>): Promise<object> {
  const endpoint = endpointFor(ctx);
  const fault = (await readState(endpoint)).faults.find((one) => one.id === id);
  if (fault === undefined) throw new ServerError('not_found', { publicMessage: 'This fault is off already.' });
  const event = { did: 'switched off', what: `a fault: ${faultSentence(fault)}`, before: fault };
  await actAudited(ctx, event, () => removeFault(endpoint, id));
  return {};
}

/** DELETE /api/cosmos/faults: switches all off. Does nothing, and writes no row, when none is on. */
export async function switchOffFaults(ctx: Ctx): Promise<object> {
  const endpoint = endpointFor(ctx);
  const { faults } = await readState(endpoint);
  if (faults.length === 0) return {};
  const what = faults.length === 1 ? 'the only fault' : `all ${faults.length} faults`;
  await actAudited(ctx, { did: 'switched off', what, before: { faults } }, () => removeFault(endpoint, 'all'));
  return {};
}

/** The body takes nothing. */
export const SwitchOffFaults = z.object({});

function checkPlace({ accounts }: LocalCosmosState, { account, region }: NewFault): void {
  const known = accounts.filter(({ name }) => account === undefined || name === account);
  if (known.length === 0) throw unknown('account', `There is no account ${account} here.`);
  if (region === undefined || known.some(({ regions }) => regions.some(({ name }) => name === region))) return;
  throw unknown('region', `There is no region ${region} here.`);
}

function unknown(field: string, message: string): ServerError {
  return new ServerError('invalid_input', { publicMessage: message, fields: { [field]: message } });
}
