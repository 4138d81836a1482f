'use client';

import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { AnnouncerProvider } from '#components/ui/announcer.tsx';
import { ModKeyProvider } from '#components/ui/mod-key.tsx';
import type { Preferences } from '#components/ui/preference-cookies.ts';
import { PreferencesProvider } from '#components/ui/preferences.tsx';
import { ShortcutsProvider } from '#components/ui/shortcuts.tsx';
import { makeQueryClient } from './query-client.ts';

// The content security policy forbids eval; without this zod tries it once and the browser logs the refusal.
z.config({ jitless: true });

/** What every page stands on: preferences, server state, keys and the live region. */
export function Providers({
  preferences,
  isApple,
  children,
}: {
  readonly preferences: Preferences;
  readonly isApple: boolean;
  readonly children: React.ReactNode;
}) {
  const [client] = useState(makeQueryClient);
  return (
    <PreferencesProvider initial={preferences}>
      <QueryClientProvider client={client}>
        <ShortcutsProvider>
          <AnnouncerProvider>
            <ModKeyProvider isApple={isApple}>{children}</ModKeyProvider>
          </AnnouncerProvider>
        </ShortcutsProvider>
      </QueryClientProvider>
    </PreferencesProvider>
  );
}
