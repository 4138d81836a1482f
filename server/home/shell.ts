import 'server-only';
import type { Ctx } from '#server/context.ts';
import type { Shell } from '#server/contract/shell.ts';
import { readStandings } from '#server/db/gateway-standing.ts';
import { readFreeze } from '#server/publication/freeze.ts';
import { inboxWith } from './inbox.ts';
import type { ChangesFor } from './ports.ts';
import { readRolledBack } from './rolled-back.ts';
import { writesAway } from './store-troubles.ts';

/** GET /api/shell: what the frame around every page shows. */
export function shellWith(changesFor: ChangesFor) {
  const inbox = inboxWith(changesFor);
  return async (ctx: Ctx): Promise<Shell> => {
    const { env, db, nowMs, actor } = ctx;
    const { target, gateways } = await readStandings(db, nowMs);
    const { items } = await inbox(ctx);
    return {
      installation: env.installationName,
      target: target?.number ?? null,
      gateways: gateways.map(({ name, state, serves }) => ({ name, state, serves })),
      inboxCount: items.length,
      cannotWrite: writesAway(gateways),
      freeze: await readFreeze(db),
      rolledBack: await readRolledBack(db, actor.id),
      openChanges: await db.change.count({ where: { state: { notIn: ['published', 'abandoned', 'undone'] } } }),
      gatewayUrl: env.gatewayUrl,
      embedded: env.isEmbedded,
      ...(env.isEmbedded ? { demoKeyCommand: `cat ${shellWord(`${env.homeFolder}/demo-key`)}` } : {}),
    };
  };
}

/** A path as one word of a shell. */
function shellWord(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
