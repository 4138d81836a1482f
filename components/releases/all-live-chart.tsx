'use client';

import { Figure } from '#components/ui/figure.tsx';
import { formatMs } from '#components/ui/format-time.ts';
import type { ReleaseRow } from '#server/contract/releases.ts';

const HEIGHT = 64;
/** A bar that was never reached stands for itself. */
const UNKNOWN = 3;

/** How long each release of the page took to be live on every gateway, oldest left, as bars of one scale. */
export function AllLiveChart({ releases }: { readonly releases: readonly ReleaseRow[] }) {
  const rows = releases.toReversed();
  const longest = rows.reduce((most, { timeToAllLiveMs }) => Math.max(most, timeToAllLiveMs ?? 0), 0);
  const known = rows.filter(({ timeToAllLiveMs }) => timeToAllLiveMs !== null);
  if (known.length === 0) return null;
  return (
    <Figure
      title="Time to all live"
      source={`${known.length} of ${rows.length} releases · longest ${formatMs(longest)}`}
      heightPx={HEIGHT + 12}
      table={() => ({
        heads: ['Release', 'To all live'],
        rows: rows.map(({ number, timeToAllLiveMs }) => [
          `r${number}`,
          timeToAllLiveMs === null ? 'never' : formatMs(timeToAllLiveMs),
        ]),
      })}
    >
      <svg
        viewBox={`0 0 ${Math.max(1, rows.length) * 10} ${HEIGHT}`}
        width={Math.min(720, rows.length * 14)}
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Time to all live of ${rows.length} releases, longest ${formatMs(longest)}`}
        className="max-w-full"
      >
        {rows.map(({ number, timeToAllLiveMs, emergency }, at) => {
          const height = timeToAllLiveMs === null ? UNKNOWN : Math.max(2, (timeToAllLiveMs / longest) * (HEIGHT - 2));
          const fill = timeToAllLiveMs === null ? 'var(--line)' : emergency ? 'var(--hold)' : 'var(--p95)';
          return (
            <rect key={number} x={at * 10 + 1} y={HEIGHT - height} width={7} height={height} fill={fill}>
              <title>{`r${number}: ${timeToAllLiveMs === null ? 'never live everywhere' : formatMs(timeToAllLiveMs)}`}</title>
            </rect>
          );
        })}
      </svg>
    </Figure>
  );
}
