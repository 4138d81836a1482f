import 'server-only';
import type { ReleaseId } from '#gateway/contract/release.ts';
import type { Gateway, GatewayAck, Release } from '#prisma/client/client.ts';
import {
  type AnswerFacts,
  type GatewayFacts,
  type GatewayStanding,
  GONE_AFTER_MS,
  gatewayState,
  type TargetFacts,
} from '#server/contract/gateway-state.ts';
import type { Reader } from './client.ts';
import { isOffered, readOpenRollout, type StoredRollout } from './rollout.ts';

/** The newest published release. */
export interface Target extends TargetFacts {
  readonly number: number;
  readonly sha256: string;
}

/** A gateway that has not left, its row, and how it stands to what it is offered. */
export interface StandingGateway extends GatewayStanding {
  readonly row: Gateway;
  /** The target, or while its stage is not open, what the target replaces; null before the first publish. */
  readonly offered: Target | null;
  /** Its newest answer to the release it is offered. */
  readonly answer: AnswerFacts | null;
}

/** An open rollout with what the gateways of later stages serve meanwhile. */
export interface StandingRollout extends StoredRollout {
  readonly base: Target;
}

export interface Standings {
  readonly target: Target | null;
  /** While the target goes out in stages. */
  readonly rollout: StandingRollout | null;
  readonly gateways: readonly StandingGateway[];
}

/** The target, or null before the first publish. */
export async function readTarget(db: Reader): Promise<Target | null> {
  const release = await db.release.findFirst({
    orderBy: [{ epoch: 'desc' }, { number: 'desc' }],
    select: targetColumns,
  });
  return release === null ? null : targetOf(release);
}

/** What one gateway is offered: the target, or what it replaces while the gateway's stage is not open. */
export async function readTargetOf(db: Reader, gateway: string): Promise<Target | null> {
  const rollout = await readStandingRollout(db);
  return rollout === null || isOffered(rollout, gateway) ? readTarget(db) : rollout.base;
}

async function readStandingRollout(db: Reader): Promise<StandingRollout | null> {
  const rollout = await readOpenRollout(db);
  if (rollout === null) return null;
  const base = await db.release.findUnique({ where: { number: rollout.baseNumber }, select: targetColumns });
  return base === null ? null : { ...rollout, base: targetOf(base) };
}

const targetColumns = { epoch: true, number: true, sha256: true, minGatewayVersion: true, createdAt: true } as const;

function targetOf(release: Pick<Release, keyof typeof targetColumns>): Target {
  return {
    release: { epoch: release.epoch, number: release.number },
    number: release.number,
    sha256: release.sha256,
    minGatewayVersion: release.minGatewayVersion,
    publishedMs: release.createdAt.getTime(),
  };
}

/** Every gateway that has not left, by name, against what it is offered. Five queries at most, whatever the fleet. */
export async function readStandings(db: Reader, nowMs: number): Promise<Standings> {
  const target = await readTarget(db);
  const rollout = await readStandingRollout(db);
  const rows = await db.gateway.findMany({
    where: { leftAt: null, lastHeardAt: { gte: new Date(nowMs - GONE_AFTER_MS) } },
    orderBy: { name: 'asc' },
  });
  const offered = [target?.release, rollout?.base.release].filter((release) => release !== undefined);
  const answers = offered.length === 0 ? [] : await db.gatewayAck.findMany({ where: { OR: offered } });
  const byOffer = new Map(answers.map((ack) => [`${ack.gateway} ${ack.epoch} ${ack.number}`, ack]));
  const gateways = rows.map((row) => {
    const isEarly = rollout !== null && !isOffered(rollout, row.name);
    const offer = isEarly ? rollout.base : target;
    const ack = byOffer.get(`${row.name} ${offer?.release.epoch} ${offer?.number}`) ?? null;
    const standing = standingOf(row, ack, offer, nowMs);
    return isEarly && standing.state === 'live' ? { ...standing, state: 'waiting' as const } : standing;
  });
  return { target, rollout, gateways };
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
    offered: target,
    answer: facts.answer,
  };
}

function answerOf(ack: GatewayAck): AnswerFacts {
  const state = ack.state === 'live' || ack.state === 'applying' ? ack.state : 'rejected';
  return { state, atMs: ack.at.getTime(), reason: ack.reason };
}
