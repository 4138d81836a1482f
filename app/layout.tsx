import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import { Providers } from '#components/shell/providers.tsx';
import { hasAppleKeyboard } from '#components/ui/apple-keyboard.ts';
import { readPreferences } from '#components/ui/preference-cookies.ts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Habitat', template: '%s · Habitat' },
  description: 'Admin console and schema registry of the Habitat storage platform.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { colorScheme: 'light dark', width: 'device-width', initialScale: 1 };

/** The theme is a cookie rendered into the first byte: no script, no flash. Reading it also makes every page dynamic, which nonces need. */
export default async function RootLayout({ children }: { readonly children: React.ReactNode }) {
  const jar = await cookies();
  const preferences = readPreferences((name) => jar.get(name)?.value);
  const isApple = hasAppleKeyboard((await headers()).get('user-agent'));
  return (
    <html lang="en" data-theme={preferences.theme} className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <Providers preferences={preferences} isApple={isApple}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
