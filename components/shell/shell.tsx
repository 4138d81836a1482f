'use client';

import dynamic from 'next/dynamic';
import { usePathname, useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { usePreferences } from '#components/ui/preferences.tsx';
import { useShortcuts } from '#components/ui/shortcuts.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Drawer } from './drawer.tsx';
import { ALL_NAV } from './nav-items.ts';
import { NoRole } from './no-role.tsx';
import { useShell } from './queries.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { Sidebar } from './sidebar.tsx';
import { SystemBar } from './system-bar.tsx';
import { TopBar } from './top-bar.tsx';

// The palette is a chunk of its own, loaded when it is first opened.
const Palette = dynamic(() => import('./palette.tsx').then((module) => module.Palette), { ssr: false });

/** Paths whose rows are dense and whose pages are fluid. */
const DENSE = ['/latency', '/requests', '/audit'];

/** The frame around every signed-in page. */
export function Shell({ children }: { readonly children: React.ReactNode }) {
  const pathname = usePathname();
  const [open, setOpen] = useState<'palette' | 'help' | 'menu'>();
  const close = () => setOpen(undefined);
  useGlobalKeys({ onPalette: () => setOpen('palette'), onHelp: () => setOpen('help') });
  useInboxTitle();
  const isDense = DENSE.some((place) => pathname === place || pathname.startsWith(`${place}/`));
  return (
    <div className="flex min-h-dvh" data-density={isDense ? 'dense' : 'normal'}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-1.5 focus:left-2 focus:z-50 focus:rounded-control focus:bg-accent focus:px-3 focus:py-1.5 focus:text-on-accent"
      >
        Skip to the page
      </a>
      <Sidebar />
      <div className="flex min-w-0 grow flex-col">
        <TopBar onSearch={() => setOpen('palette')} onMenu={() => setOpen('menu')} />
        <SystemBar />
        <main
          id="main"
          tabIndex={-1}
          className="w-full max-w-[110rem] grow px-4 pt-6 pb-24 outline-none desk:px-6 desk:pb-12"
        >
          <NoRole />
          {children}
        </main>
      </div>
      <BottomBar onSearch={() => setOpen('palette')} />
      <Drawer open={open === 'menu'} onClose={close} />
      {open === 'palette' && <Palette onClose={close} />}
      <ShortcutHelp open={open === 'help'} onClose={close} />
    </div>
  );
}

interface GlobalKeys {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

function useGlobalKeys({ onPalette, onHelp }: GlobalKeys) {
  const router = useRouter();
  const { zone, setPreference } = usePreferences();
  useShortcuts([
    { keys: 'mod+k', label: 'Search, go, act', group: 'Everywhere', run: onPalette },
    { keys: '?', label: 'Keys of this page', group: 'Everywhere', run: onHelp },
    {
      keys: 't u',
      label: 'Local time or UTC',
      group: 'Everywhere',
      run: () => setPreference('zone', zone === 'utc' ? 'local' : 'utc'),
    },
    ...ALL_NAV.flatMap(({ label, href, keys }) =>
      keys === undefined ? [] : [{ keys, label, group: 'Go to' as const, run: () => router.push(href) }],
    ),
  ]);
}

/** The tab's title starts with what waits in the inbox. Pages set their titles, so it is put back after each of them. */
function useInboxTitle() {
  const count = useShell().data?.inboxCount ?? 0;
  useEffect(() => {
    const mark = () => {
      const bare = document.title.replace(/^\(\d+\) /, '');
      const wanted = count > 0 ? `(${count}) ${bare}` : bare;
      if (document.title !== wanted) document.title = wanted;
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}
