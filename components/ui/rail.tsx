import Link from 'next/link';
import type { GatewayState } from '#server/contract/shell.ts';
import { cn } from './cn.ts';

interface RailGateway {
  readonly name: string;
  readonly state: GatewayState;
}

interface RailProps {
  /** Number of the target release; null before the first. */
  readonly target: number | null;
  readonly gateways: readonly RailGateway[];
  readonly className?: string | undefined;
}

/** Over this many gateways the cells give way to counts. */
const CELLS_UP_TO = 24;

const ORDER: readonly GatewayState[] = ['live', 'applying', 'waiting', 'behind', 'rejected', 'too old', 'silent'];

const COLOUR: Readonly<Record<GatewayState, string>> = {
  live: 'text-ok',
  applying: 'text-accent',
  behind: 'text-warn',
  rejected: 'text-danger',
  'too old': 'text-warn',
  silent: 'text-ink-3',
  waiting: 'text-ink-3',
};

/** The release rail: target release, one cell per gateway, and the counts in words. A click opens the release. */
export function Rail({ target, gateways, className }: RailProps) {
  const counts = ORDER.map((state) => ({
    state,
    count: gateways.filter((gateway) => gateway.state === state).length,
  })).filter(({ count }) => count > 0);
  const says = railSentence(target, gateways);
  return (
    <Link
      href={target === null ? '/releases' : `/releases/${target}`}
      prefetch={false}
      title={says}
      className={cn(
        'inline-flex min-h-7 items-center gap-2 whitespace-nowrap rounded-control px-1.5 font-mono text-meta hover:bg-sunken pointer-coarse:min-h-11',
        className,
      )}
    >
      <span className="sr-only">Target release </span>
      <span>
        {target === null ? 'no release' : `r${target}`}
        <span className="sr-only">: </span>
      </span>
      {gateways.length > 0 && gateways.length <= CELLS_UP_TO && (
        <svg
          viewBox={`0 0 ${gateways.length * 10 - 2} 12`}
          width={gateways.length * 10 - 2}
          height="12"
          aria-hidden
          className="overflow-visible"
        >
          {gateways.map((gateway, at) => (
            <g key={gateway.name} transform={`translate(${at * 10} 0)`} className={COLOUR[gateway.state]}>
              <Cell state={gateway.state} />
            </g>
          ))}
        </svg>
      )}
      <span className="flex gap-2">
        {gateways.length === 0 && <span className="text-ink-3">no gateway</span>}
        {counts.map(({ state, count }, at) => (
          <span key={state} className={cn(state === 'live' ? '' : COLOUR[state], at > 0 && 'max-tablet:hidden')}>
            {at > 0 && <span className="sr-only">, </span>}
            {at === 0 ? `${count} of ${gateways.length} ${state}` : `${count} ${state}`}
          </span>
        ))}
      </span>
    </Link>
  );
}

/** Says the rail in words: "Release 42: 1 of 3 live, 1 rejected, 1 silent." */
export function railSentence(target: number | null, gateways: readonly RailGateway[]): string {
  const release = target === null ? 'No release yet' : `Release ${target}`;
  if (gateways.length === 0) return `${release}: no gateway is connected.`;
  const parts = ORDER.map((state) => [gateways.filter((gateway) => gateway.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state], at) => (at === 0 ? `${count} of ${gateways.length} ${state}` : `${count} ${state}`));
  return `${release}: ${parts.join(', ')}.`;
}

/** Filled is live, half is applying, empty waits for its stage, a low bar is behind, a cross is rejected, a slash is too old, dashes are silent. */
function Cell({ state }: { readonly state: GatewayState }) {
  const frame = (
    <rect x="0.5" y="0.5" width="7" height="11" rx="1" fill="none" stroke="currentColor" className="rail-cell" />
  );
  switch (state) {
    case 'live':
      return <rect width="8" height="12" rx="1.5" fill="currentColor" className="rail-cell" />;
    case 'waiting':
      return frame;
    case 'applying':
      return (
        <>
          {frame}
          <path d="M1 6h6v5H1Z" fill="currentColor" />
        </>
      );
    case 'behind':
      return (
        <>
          {frame}
          <path d="M1 9h6v2H1Z" fill="currentColor" />
        </>
      );
    case 'rejected':
      return (
        <>
          {frame}
          <path d="m2 3.5 4 5m0-5-4 5" fill="none" stroke="currentColor" />
        </>
      );
    case 'too old':
      return (
        <>
          {frame}
          <path d="m2 9 4-6" fill="none" stroke="currentColor" />
        </>
      );
    case 'silent':
      return (
        <rect
          x="0.5"
          y="0.5"
          width="7"
          height="11"
          rx="1"
          fill="none"
          stroke="currentColor"
          strokeDasharray="2 1.5"
          className="rail-cell"
        />
      );
  }
}
