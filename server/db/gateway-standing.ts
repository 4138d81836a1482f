import 'server-only';
import type { ReleaseId } from '#gateway/contract/release.ts';
import type { Gateway, GatewayAck } from '#prisma/client/client.ts';
import {
  type AnswerFacts,
  type GatewayFacts,
  type GatewayStanding,
  GONE_AFTER_MS,
  gatewayState,
  type TargetFacts,
} from '#server/contract/gateway-state.ts';
import type { Reader } from './client.ts';

/** The newest published release. */
export interface Target extends TargetFacts {
  readonly number: number;
  readonly sha256: string;
}

/** A gateway that has not left, its row, and how it stands to the target. */
export interface StandingGateway extends GatewayStanding {
  readonly row: Gateway;
  /** Its newest answer to the target. */
  readonly answer: AnswerFacts | null;
}

export interface Standings {
  readonly target: Target | null;
  readonly gateways: readonly StandingGateway[];
}

/** The target, or null before the first publish. */
export async function readTarget(db: Reader): Promise<Target | null> {
  const release = await db.release.findFirst({
    orderBy: [{ epoch: 'desc' }, { number: 'desc' }],
    select: { epoch: true, number: true, sha256: true, minGatewayVersion: true, createdAt: true },
  });
  if (release === null) return null;
  return {
    release: { epoch: release.epoch, number: release.number },
    number: release.number,
    sha256: release.sha256,
    minGatewayVersion: release.minGatewayVersion,
    publishedMs: release.createdAt.getTime(),
  };
}

/** Every gateway that has not left, by name, against the target. Three queries whatever the size of the fleet. */
export async function readStandings(db: Reader, nowMs: number): Promise<Standings> {
  const target = await readTarget(db);
  const rows = await db.gateway.findMany({
    where: { leftAt: null, lastHeardAt: { gte: new Date(nowMs - GONE_AFTER_MS) } },
    orderBy: { name: 'asc' },
  });
  const answers = target === null ? [] : await db.gatewayAck.findMany({ where: target.release });
  const byGateway = new Map(answers.map((ack) => [ack.gateway, ack]));
  const gateways = rows.map((row) => standingOf(row, byGateway.get(row.name) ?? null, target, nowMs));
  return { target, gateways };
}

/** The release a gateway's last heartbeat or answer named; null when it serves none. */
export function servedBy(row: Pick<Gateway, 'servesEpoch' | 'servesNumber'>): ReleaseId | null {
  return row.servesEpoch === null || row.servesNumber === null
    ? null
    : { epoch: row.servesEpoch, number: row.servesNumber };
}

function standingOf(row: Gateway, ack: GatewayAck | null, target: Target | null, nowMs: number): StandingGateway {
  const facts: GatewayFacts = {
    name: row.name,
    version: row.version,
    lastHeardMs: row.lastHeardAt.getTime(),
    leftAtMs: row.leftAt?.getTime() ?? null,
    serves: servedBy(row),
    answer: ack === null ? null : answerOf(ack),
  };
  return {
    name: row.name,
    state: gatewayState(facts, target, nowMs),
    serves: row.servesNumber,
    lastHeardMs: facts.lastHeardMs,
    row,
    answer: facts.answer,
  };
}

function answerOf(ack: GatewayAck): AnswerFacts {
  const state = ack.state === 'live' || ack.state === 'applying' ? ack.state : 'rejected';
  return { state, atMs: ack.at.getTime(), reason: ack.reason };
}
