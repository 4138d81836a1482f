'use client';

import { Figure } from '#components/ui/figure.tsx';
import { formatMs } from '#components/ui/format-time.ts';
import type { ReleaseRow } from '#server/contract/releases.ts';

const HEIGHT = 64;
const LABELS = 18;
/** Width of a bar with its gap. */
const STEP = 14;
/** A bar that was never reached stands for itself. */
const UNKNOWN = 3;

/** The first and the last release under their bars. */
const ENDS = 'flex min-w-fit max-w-full justify-between gap-2 pt-0.5 font-mono text-ink-3 text-tick';

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
      heightPx={HEIGHT + LABELS + 12}
      className="border-line border-b"
      table={() => ({
        heads: ['Release', 'To all live'],
        rows: rows.map(({ number, timeToAllLiveMs }) => [
          `r${number}`,
          timeToAllLiveMs === null ? 'never' : formatMs(timeToAllLiveMs),
        ]),
      })}
    >
      <svg
        viewBox={`0 0 ${rows.length * STEP} ${HEIGHT}`}
        width={rows.length * STEP}
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Time to all live of ${rows.length} releases, longest ${formatMs(longest)}`}
        className="max-w-full border-edge border-b"
      >
        {rows.map(({ number, timeToAllLiveMs, emergency }, at) => {
          const height = timeToAllLiveMs === null ? UNKNOWN : Math.max(2, (timeToAllLiveMs / longest) * (HEIGHT - 2));
          const fill = timeToAllLiveMs === null ? 'var(--line)' : emergency ? 'var(--hold)' : 'var(--p95)';
          return (
            <rect key={number} x={at * STEP + 2} y={HEIGHT - height} width={STEP - 4} height={height} fill={fill}>
              <title>{`r${number}: ${timeToAllLiveMs === null ? 'never live everywhere' : formatMs(timeToAllLiveMs)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p aria-hidden style={{ width: rows.length * STEP }} className={ENDS}>
        <span>r{rows[0]?.number}</span>
        {rows.length > 1 && <span>r{rows.at(-1)?.number}</span>}
      </p>
    </Figure>
  );
}
