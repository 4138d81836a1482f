import 'server-only';
import { z } from 'zod';
import { Heartbeat } from '#gateway/contract/machine-api.ts';
import type { Ctx } from '#server/context.ts';
import type { GatewayRow, Gateways } from '#server/contract/releases.ts';
import { readStandings, type StandingGateway } from '#server/db/gateway-standing.ts';

const Workers = Heartbeat.shape.workers;
const Regions = Heartbeat.shape.store.shape.regions;

/** GET /api/gateways: every gateway that has not left, by name. Readable by everyone who is signed in. */
export async function listGateways(ctx: Ctx): Promise<z.infer<typeof Gateways>> {
  const { target, gateways } = await readStandings(ctx.db, ctx.nowMs);
  return { target: target?.number ?? null, gateways: gateways.map(rowOf) };
}

/** The query takes nothing. */
export const GatewaysQuery = z.object({});

function rowOf({ name, state, serves, lastHeardMs, row, answer }: StandingGateway): GatewayRow {
  return {
    name,
    state,
    serves,
    version: row.version,
    url: row.url,
    startedAtMs: row.startedAt.getTime(),
    lastHeardMs,
    reason: answer?.reason ?? null,
    workers: Workers.parse(row.workers),
    auditBacklog: row.auditBacklog,
    storeReachable: row.storeReachable,
    storeMessage: row.storeMessage,
    storeRegions: Regions.parse(row.storeRegions),
  };
}
