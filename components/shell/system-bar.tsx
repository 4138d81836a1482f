'use client';

import { usePathname } from 'next/navigation';
import { ConsoleError } from '#components/api-client.ts';
import { useLiveStatus } from '#components/live/live-provider.tsx';
import { Time } from '#components/ui/time.tsx';
import { Bar } from './bar.tsx';
import { useMe, useShell } from './queries.ts';
import { ReleaseBar } from './release-bar.tsx';
import { FaultsBar, useFaultsOn, WritesAwayBar } from './store-bars.tsx';

/** The one bar for what concerns every page, the most serious first. Nothing is said when nothing is wrong. */
export function SystemBar() {
  const pathname = usePathname();
  const shell = useShell();
  const me = useMe();
  const live = useLiveStatus();
  const faults = useFaultsOn();
  const error = [shell.error, me.error].find((found) => found instanceof ConsoleError);
  const sinceMs = shell.dataUpdatedAt || me.dataUpdatedAt;

  if (error?.code === 'not_signed_in') {
    return (
      <Bar tone="warn">
        You are signed out. What you typed stays here.{' '}
        <a
          className="underline underline-offset-4"
          href={`/sign-in?callbackUrl=${encodeURIComponent(pathname)}`}
          target="_blank"
          rel="noreferrer"
        >
          Sign in in a new tab
        </a>
        , then this page goes on.
      </Bar>
    );
  }
  if (error?.code === 'unreachable' || error?.code === 'timed_out') {
    return (
      <Bar tone="danger">
        The console cannot be reached{since(sinceMs)}. Gateways keep enforcing their release.{newest(sinceMs)} Trying
        again every 5 s.
      </Bar>
    );
  }
  if (error?.code === 'database_away') {
    return (
      <Bar tone="danger">
        The console cannot reach its database{since(sinceMs)}. Gateways keep enforcing their release and keep their
        audit rows.
        {newest(sinceMs)} Trying again every 5 s.
        {error.requestId !== undefined && <code className="ml-2 font-mono text-meta">{error.requestId}</code>}
      </Bar>
    );
  }
  const cannotWrite = shell.data?.cannotWrite ?? null;
  if (cannotWrite !== null) return <WritesAwayBar {...cannotWrite} faults={faults} />;
  if (shell.data !== undefined && (shell.data.rolledBack.length > 0 || shell.data.freeze !== null)) {
    return <ReleaseBar rolledBack={shell.data.rolledBack} freeze={shell.data.freeze} />;
  }
  if (live.kind === 'lost') {
    return (
      <Bar tone="warn">
        Live updates are lost since <Time ms={live.sinceMs} style="second" />. This page asks again every 5 s.
      </Bar>
    );
  }
  return faults > 0 ? <FaultsBar faults={faults} /> : null;
}

function since(ms: number) {
  if (ms === 0) return null;
  return (
    <>
      {' '}
      since <Time ms={ms} style="second" />
    </>
  );
}

function newest(ms: number) {
  if (ms === 0) return null;
  return (
    <>
      {' '}
      Nothing here is newer than <Time ms={ms} style="second" />.
    </>
  );
}
