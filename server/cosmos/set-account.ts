import 'server-only';
import type { z } from 'zod';
import type { LocalCosmosState } from '#gateway/contract/local-cosmos.ts';
import type { Ctx } from '#server/context.ts';
import type { MoveWrites, SetBudget } from '#server/contract/cosmos.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { readState, setAccount } from './admin.ts';
import { actAudited, endpointFor } from './operate.ts';

/**
 * POST /api/cosmos/failover: an account's writes move to another of its regions; the others answer writes with 403/3 from
 * then on. Operators and admins (`not_permitted`); `invalid_input` for what is not there, `wrong_state` when the region
 * takes writes already, `cosmos_away`.
 */
export async function moveWrites(ctx: Ctx, input: z.infer<typeof MoveWrites>): Promise<object> {
  const endpoint = endpointFor(ctx);
  const account = accountOf(await readState(endpoint), input.account);
  if (!account.regions.some(({ name }) => name === input.region)) {
    throw notHere('region', `${account.name} has no region ${input.region}.`);
  }
  if (account.writeRegion === input.region) {
    throw new ServerError('wrong_state', { publicMessage: `${input.region} takes the writes already.` });
  }
  const event = {
    did: 'moved',
    what: `the writes of ${account.name} to ${input.region}`,
    before: { writeRegion: account.writeRegion },
    after: { writeRegion: input.region },
  };
  await actAudited(ctx, event, () => setAccount(endpoint, 'failover', input));
  return {};
}

/**
 * PUT /api/cosmos/budget: request units a second that one partition of an account may use, null for no limit. Operators
 * and admins (`not_permitted`); `invalid_input` for an account that is not there, `cosmos_away`.
 */
export async function setBudget(ctx: Ctx, input: z.infer<typeof SetBudget>): Promise<object> {
  const endpoint = endpointFor(ctx);
  const account = accountOf(await readState(endpoint), input.account);
  const limit = input.partitionRuPerSecond;
  const event = {
    did: 'set the budget',
    what: `of a partition of ${account.name} to ${limit === null ? 'no limit' : `${limit.toLocaleString('en-US')} RU/s`}`,
    before: { partitionRuPerSecond: account.partitionRuPerSecond },
    after: { partitionRuPerSecond: limit },
  };
  await actAudited(ctx, event, () => setAccount(endpoint, 'budget', input));
  return {};
}

type Account = LocalCosmosState['accounts'][number];

function accountOf({ accounts }: LocalCosmosState, wanted: string): Account {
  const account = accounts.find(({ name }) => name === wanted);
  if (account !== undefined) return account;
  throw notHere('account', `There is no account ${wanted} here.`);
}

function notHere(field: string, message: string): ServerError {
  return new ServerError('invalid_input', { publicMessage: message, fields: { [field]: message } });
}
