import { Mark } from './mark.tsx';
import { Time } from './time.tsx';

/** What is on screen is older than it should be; says how old and what is being done. */
export function Stale({ sinceMs, children }: { readonly sinceMs: number; readonly children?: React.ReactNode }) {
  return (
    <p className="flex items-baseline gap-2 text-ink-2 text-meta">
      <Mark kind="dashed" className="translate-y-px text-warn" />
      <span>
        Nothing here is newer than <Time ms={sinceMs} style="second" />. {children ?? 'Trying again every 5 s.'}
      </span>
    </p>
  );
}
