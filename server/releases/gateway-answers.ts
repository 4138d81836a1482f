import 'server-only';
import type { z } from 'zod';
import type { GatewayAnswer } from '#server/contract/releases.ts';
import type { Reader } from '#server/db/client.ts';
import type { StandingGateway, Standings } from '#server/db/gateway-standing.ts';

type Answer = z.infer<typeof GatewayAnswer>;

interface AnsweredRelease {
  readonly number: number;
  readonly epoch: number;
  readonly createdAt: Date;
}

/**
 * What each gateway answered to a release. Of the target: every gateway that has not left, in its state of this moment. Of
 * an older one: those that answered it, with what they answered then.
 */
export async function readAnswers(
  db: Reader,
  { release, standings }: { readonly release: AnsweredRelease; readonly standings: Standings },
): Promise<Answer[]> {
  const acks = await db.gatewayAck.findMany({
    where: { epoch: release.epoch, number: release.number },
    orderBy: { gateway: 'asc' },
  });
  const isTarget = standings.target?.number === release.number;
  if (isTarget) {
    return standings.gateways.map((gateway) =>
      answerOf(acks.find((ack) => ack.gateway === gateway.name) ?? null, { release, gateway }),
    );
  }
  return acks.map((ack) => {
    const gateway = standings.gateways.find(({ name }) => name === ack.gateway) ?? null;
    const state = ack.state === 'live' || ack.state === 'rejected' ? ack.state : 'behind';
    return { ...answerOf(ack, { release, gateway }), gateway: ack.gateway, state, version: ack.version };
  });
}

type Ack = Awaited<ReturnType<Reader['gatewayAck']['findMany']>>[number];

function answerOf(
  ack: Ack | null,
  { release, gateway }: { readonly release: AnsweredRelease; readonly gateway: StandingGateway | null },
): Answer {
  const liveAt = ack?.firstLiveAt ?? null;
  return {
    gateway: gateway?.name ?? ack?.gateway ?? '',
    state: gateway?.state ?? 'silent',
    serves: gateway?.serves ?? null,
    atMs: ack?.at.getTime() ?? null,
    afterMs: liveAt === null ? null : liveAt.getTime() - release.createdAt.getTime(),
    reason: ack?.reason ?? null,
    probesPassed: ack?.probesPassed ?? null,
    version: gateway?.row.version ?? ack?.version ?? '',
    left: gateway === null,
  };
}
