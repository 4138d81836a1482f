import { formatCount, formatShort } from '#components/ui/format-number.ts';
import type { StoreRegion } from '#gateway/contract/machine-api.ts';

/** *8 open, 6 idle, none waiting*: connections of all workers to one region now. */
export function connectionWords({ connections: { open, idle, waiting } }: StoreRegion): string {
  if (open === 0 && waiting === 0) return 'none open';
  return `${formatCount(open)} open, ${formatCount(idle)} idle, ${waiting === 0 ? 'no request waits' : `${formatCount(waiting)} wait for one`}`;
}

/** How many requests a connection has carried on average since the gateway started; null before the first. */
export function reuseWords({ connections: { opened, requests } }: StoreRegion): string | null {
  return opened === 0 ? null : `${formatShort(requests / opened)} requests a connection`;
}

/** *1,204, 3 failed, 12 throttled*; what did not happen is not said. */
export function attemptWords({ attempts, failures, throttled }: StoreRegion): string {
  const parts = [formatCount(attempts)];
  if (failures > 0) parts.push(`${formatCount(failures)} failed`);
  if (throttled > 0) parts.push(`${formatCount(throttled)} throttled`);
  return attempts === 0 ? 'none yet' : parts.length === 1 ? `${parts[0]}, none failed` : parts.join(', ');
}

/** *4 sent here, 3 used*: second reads, sent because a first one was slow elsewhere. */
export function hedgeWords({ hedges, hedgesWon }: StoreRegion): string {
  return hedges === 0 ? 'none sent here' : `${formatCount(hedges)} sent here, ${formatCount(hedgesWon)} used`;
}

/** *West is away*; null when every region answers. */
export function awayWords(regions: readonly StoreRegion[]): string | null {
  const away = regions.filter(({ breaker }) => breaker !== 'closed').map(({ region }) => region);
  if (away.length === 0) return null;
  return away.length <= 2 ? `${away.join(' and ')} away` : `${away.length} regions away`;
}
