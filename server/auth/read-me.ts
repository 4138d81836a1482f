import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { Me } from '#server/contract/people.ts';
import { offersDemoUsers } from './auth-options.ts';
import { listDemoUsers } from './users.ts';

/** GET /api/me: who asks, with the rights of this moment, and the token they came with. */
export async function readMe(ctx: Ctx): Promise<Me> {
  const { id, name, email, roles, teams, token } = ctx.actor;
  const demoUsers = offersDemoUsers(ctx.env) ? await listDemoUsers(ctx.db) : [];
  return {
    id,
    name,
    email,
    roles: [...roles],
    teams: [...teams],
    demoUsers,
    ...(token === undefined ? {} : { token: { ...token, scopes: [...token.scopes] } }),
  };
}
