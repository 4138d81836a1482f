import Link from 'next/link';
import { formatSpan } from '#components/ui/format-time.ts';
import { Time } from '#components/ui/time.tsx';
import type { TenantLatency } from '#server/contract/latency.ts';

/** The releases that a chart marks, as links: the same facts for a keyboard and a screen reader. */
export function MarkerList({ markers }: { readonly markers: TenantLatency['markers'] }) {
  if (markers.length === 0) return null;
  return (
    <ol aria-label="Releases in this time" className="flex flex-wrap gap-x-5 gap-y-1 px-4 py-2 text-meta">
      {markers.map((marker) => (
        <li key={marker.release}>
          <Link
            href={`/releases/${marker.release}`}
            prefetch={false}
            className="inline-flex min-h-6 items-center gap-1.5 rounded-cell hover:text-accent"
          >
            <svg viewBox="0 0 10 12" width="10" height="12" aria-hidden className="text-accent">
              <path
                d="M5 0v12"
                stroke="currentColor"
                strokeWidth="1.5"
                strokeDasharray={marker.isRollback ? '2.5 2' : undefined}
              />
            </svg>
            <span className="font-mono">r{marker.release}</span>
            <span className="text-ink-2">
              <MarkerWords marker={marker} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

function MarkerWords({ marker }: { readonly marker: TenantLatency['markers'][number] }) {
  const begin = marker.firstMs ?? marker.publishedMs;
  if (marker.firstMs === null) {
    return (
      <>
        published <Time ms={begin} style="second" />, live on no gateway
      </>
    );
  }
  if (marker.allLiveMs === null) {
    return (
      <>
        since <Time ms={begin} style="second" />, not live everywhere
      </>
    );
  }
  const took = marker.allLiveMs - begin;
  return (
    <>
      live <Time ms={marker.allLiveMs} style="second" />
      {took >= 1_000 && ` (${formatSpan(took)} after the first gateway)`}
    </>
  );
}
