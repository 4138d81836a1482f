import 'server-only';
import { z } from 'zod';
import type { Ctx } from '#server/context.ts';
import type { LocalCosmos } from '#server/contract/cosmos.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { readState } from './admin.ts';
import { canSwitchFaults } from './operate.ts';

/** The query takes nothing. */
export const CosmosQuery = z.object({});

/**
 * GET /api/cosmos: the local Cosmos endpoint, whether it runs here, and what is on at it. Readable by everyone who is
 * signed in: a fault that is on concerns whoever uses the installation. An endpoint that is away is an answer, no refusal.
 */
export async function readCosmos({ env, actor }: Ctx): Promise<LocalCosmos> {
  if (env.localCosmos === undefined) return { kind: 'absent' };
  const canAct = canSwitchFaults(actor);
  try {
    return { kind: 'here', state: await readState(env.localCosmos), canAct };
  } catch (error) {
    if (error instanceof ServerError && error.code === 'cosmos_away') {
      return { kind: 'away', reason: error.publicMessage, canAct };
    }
    throw error;
  }
}
