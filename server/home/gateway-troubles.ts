import 'server-only';
import { durationWords } from '#server/contract/gateway-state.ts';
import type { Reader } from '#server/db/client.ts';
import { readStandings, type StandingGateway, type Target } from '#server/db/gateway-standing.ts';
import { storeTroubles, tellsRegionAway } from './store-troubles.ts';
import type { Trouble } from './trouble.ts';

/**
 * Regions of the store that do not answer, gateways that are not live on the target or cannot reach the store, and a
 * target that no gateway serves.
 */
export async function troubledGateways(db: Reader, nowMs: number): Promise<readonly Trouble[]> {
  const { target, gateways } = await readStandings(db, nowMs);
  if (target === null) return [];
  if (gateways.length === 0) {
    const text = `r${target.number} is not live: no gateway is connected`;
    return [{ subject: 'fleet', text, href: '/gateways', severity: 'error', sinceMs: target.publishedMs }];
  }
  return [...storeTroubles(gateways), ...gateways.flatMap((gateway) => troublesOf(gateway, target, nowMs))];
}

function troublesOf(gateway: StandingGateway, target: Target, nowMs: number): readonly Trouble[] {
  const trouble = standingTrouble(gateway, gateway.offered ?? target, nowMs);
  if (trouble !== null) return [{ subject: gateway.name, ...trouble }];
  if (gateway.row.storeReachable || tellsRegionAway(gateway)) return [];
  const text = `${gateway.name} cannot reach the store: ${gateway.row.storeMessage}`;
  return [{ subject: gateway.name, text, href: '/gateways', severity: 'error', sinceMs: gateway.lastHeardMs }];
}

function standingTrouble(
  { name, state, serves, lastHeardMs, row, answer }: StandingGateway,
  target: Target,
  nowMs: number,
): Omit<Trouble, 'subject'> | null {
  const still = serves === null ? 'serves nothing' : `still serves r${serves}`;
  const href = `/releases/${target.number}`;
  switch (state) {
    case 'live':
    case 'applying':
    case 'waiting':
      return null;
    case 'rejected': {
      const text = `${name} rejected r${target.number} and ${still}: ${answer?.reason ?? 'no reason given'}`;
      return { text, href, severity: 'error', sinceMs: answer?.atMs ?? target.publishedMs };
    }
    case 'behind':
      return {
        text: `${name} is behind r${target.number} and ${still}`,
        href,
        severity: 'warning',
        sinceMs: target.publishedMs,
      };
    case 'too old': {
      const text = `${name} is too old for r${target.number} (build ${row.version}, needs ${target.minGatewayVersion}) and ${still}`;
      return { text, href, severity: 'error', sinceMs: target.publishedMs };
    }
    case 'silent': {
      const last = serves === null ? 'nothing' : `r${serves}`;
      const text = `${name} has been silent for ${durationWords(nowMs - lastHeardMs)}; it last served ${last}`;
      return { text, href: '/gateways', severity: 'error', sinceMs: lastHeardMs };
    }
  }
}
