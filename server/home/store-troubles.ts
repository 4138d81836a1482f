import 'server-only';
import { z } from 'zod';
import { StoreRegion } from '#gateway/contract/machine-api.ts';
import type { Shell } from '#server/contract/shell.ts';
import type { StandingGateway } from '#server/db/gateway-standing.ts';
import type { Trouble } from './trouble.ts';

/** What the gateways that are heard of say together about one region of the store. */
interface RegionStanding {
  readonly account: string;
  readonly region: string;
  readonly takesWrites: boolean;
  /** Gateways that the region does not answer, and since when. */
  readonly away: readonly { readonly gateway: string; readonly sinceMs: number }[];
  /** How many gateways tell of the region. */
  readonly told: number;
}

type Heard = Pick<StandingGateway, 'name' | 'state' | 'lastHeardMs' | 'row'>;

const NAMED = 2;

/** Regions that answer some gateways no more, the one that takes writes first. Silent gateways say nothing about now. */
export function storeTroubles(gateways: readonly Heard[]): readonly Trouble[] {
  return standingsOf(gateways)
    .filter(({ away }) => away.length > 0)
    .toSorted((a, b) => Number(b.takesWrites) - Number(a.takesWrites))
    .map((standing) => ({
      subject: `store ${standing.account} ${standing.region}`,
      text: textOf(standing),
      href: `/gateways?row=${encodeURIComponent(standing.away[0]?.gateway ?? '')}`,
      severity: standing.takesWrites ? 'error' : 'warning',
      sinceMs: sinceOf(standing),
    }));
}

/** The region that takes writes, when no gateway that is heard of can write; null while one of them can. */
export function writesAway(gateways: readonly Heard[]): Shell['cannotWrite'] {
  const heard = gateways.filter(({ state }) => state !== 'silent');
  if (heard.length === 0 || heard.some(canWrite)) return null;
  const lost = heard.flatMap((gateway) =>
    regionsOf(gateway)
      .filter(({ takesWrites }) => takesWrites)
      .map((told) => ({ ...told, sinceMs: awayFrom(gateway, told).sinceMs })),
  );
  const last = lost.toSorted((a, b) => b.sinceMs - a.sinceMs)[0];
  return last === undefined ? null : { region: last.region, account: last.account, sinceMs: last.sinceMs };
}

/** Whether a gateway's own regions say what its store lacks, so that its summary need not. */
export function tellsRegionAway(gateway: Heard): boolean {
  return regionsOf(gateway).some(({ breaker }) => breaker !== 'closed');
}

/** A gateway that tells no region that takes writes is judged by its own summary. */
function canWrite(gateway: Heard): boolean {
  const writable = regionsOf(gateway).filter(({ takesWrites }) => takesWrites);
  return writable.length === 0 ? gateway.row.storeReachable : writable.some(({ breaker }) => breaker === 'closed');
}

function standingsOf(gateways: readonly Heard[]): readonly RegionStanding[] {
  const byRegion = new Map<string, RegionStanding>();
  for (const gateway of gateways.filter(({ state }) => state !== 'silent')) {
    for (const told of regionsOf(gateway)) {
      const { account, region } = told;
      const key = JSON.stringify([account, region]);
      const before = byRegion.get(key);
      const away = told.breaker === 'closed' ? [] : [awayFrom(gateway, told)];
      byRegion.set(key, {
        account,
        region,
        takesWrites: told.takesWrites || (before?.takesWrites ?? false),
        away: [...(before?.away ?? []), ...away],
        told: (before?.told ?? 0) + 1,
      });
    }
  }
  return [...byRegion.values()];
}

function awayFrom({ name, lastHeardMs }: Heard, { breakerSinceMs }: StoreRegion) {
  return { gateway: name, sinceMs: breakerSinceMs ?? lastHeardMs };
}

function regionsOf({ row }: Heard): readonly StoreRegion[] {
  return z.array(StoreRegion).parse(row.storeRegions);
}

function textOf({ account, region, takesWrites, away, told }: RegionStanding): string {
  const place = `${region} of ${account}`;
  const effect = takesWrites ? ', so nothing can be written' : '';
  if (away.length === told) return `${place} answers no gateway${effect}`;
  const names = away.map(({ gateway }) => gateway);
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${place} does not answer ${names.slice(0, NAMED).join(', ')}${more}`;
}

/** Since when it answers none, or since when it does not answer the first. */
function sinceOf({ away, told }: RegionStanding): number {
  const moments = away.map(({ sinceMs }) => sinceMs);
  return away.length === told ? Math.max(...moments) : Math.min(...moments);
}
