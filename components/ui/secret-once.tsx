'use client';

import { CopyButton } from './copy-button.tsx';
import { Mark } from './mark.tsx';
import { useNews } from './use-news.ts';

const ONCE = 'Copy it now. Habitat keeps only its hash and cannot show it again.';

interface SecretOnceProps {
  /** What it is: `Key of chat-api`. */
  readonly label: string;
  readonly secret: string;
  /** Words of the button; a key unless it is something else. */
  readonly copyLabel?: string | undefined;
  /** What to do with it. */
  readonly children?: React.ReactNode;
}

/** A secret that is shown this one time. The console keeps only its hash, so it cannot be shown again. */
export function SecretOnce({ label, secret, copyLabel = 'Copy key', children }: SecretOnceProps) {
  // It takes the place of a question; not every screen reader reads what is new around the focus then.
  useNews(ONCE, { saysFirst: true });
  return (
    <section aria-label={label} className="border border-line border-l-2 border-l-warn bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-3 py-2 pr-2 pl-3">
        <div className="min-w-0">
          <p className="text-ink-3 text-meta">{label}</p>
          <code className="block select-all break-all font-mono text-prose">{secret}</code>
        </div>
        <CopyButton text={secret} label={copyLabel} />
      </div>
      <div className="flex gap-2 border-line border-t px-3 py-2">
        <Mark kind="triangle" className="mt-1 text-warn" />
        <div className="grid gap-1">
          <p>{ONCE}</p>
          {children}
        </div>
      </div>
    </section>
  );
}
