import 'server-only';
import { appendAudit, type ConsoleEvent } from '#server/audit/append.ts';
import { hasAnyRole } from '#server/auth/rights.ts';
import type { Actor, Ctx } from '#server/context.ts';
import { ServerError } from '#server/contract/server-error.ts';
import { withTransaction } from '#server/db/client.ts';
import { notify } from '#server/db/notify.ts';
import type { LocalCosmosEnv } from '#server/env.ts';

/** Faults are for those who run the installation. */
export function canSwitchFaults(actor: Pick<Actor, 'roles' | 'teams'>): boolean {
  return hasAnyRole(actor, 'operator', 'admin');
}

/** The endpoint for an act on it. Refuses with `not_permitted`, and with `wrong_state` where none runs. */
export function endpointFor({ actor, env }: Ctx): LocalCosmosEnv {
  if (!canSwitchFaults(actor)) {
    throw new ServerError('not_permitted', {
      publicMessage: 'The local Cosmos endpoint is set by an operator or an admin.',
    });
  }
  if (env.localCosmos === undefined) {
    throw new ServerError('wrong_state', { publicMessage: 'The local Cosmos endpoint does not run here.' });
  }
  return env.localCosmos;
}

/**
 * Acts on the endpoint with the act's row in the audit log. The row is written first and kept only when the endpoint did
 * it: a database that is away refuses the act, an endpoint that refuses leaves no row.
 */
export function actAudited<T>(ctx: Ctx, event: ConsoleEvent, act: () => Promise<T>): Promise<T> {
  return withTransaction(ctx.db, async (tx) => {
    await appendAudit(tx, ctx, { href: '/gateways?tab=cosmos', ...event });
    await notify(tx, 'cosmos');
    return act();
  });
}
