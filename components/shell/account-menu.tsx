'use client';

import { cn } from '#components/ui/cn.ts';
import { Menu } from '#components/ui/menu.tsx';
import type { MenuItem } from '#components/ui/menu-item.ts';
import type { Preferences } from '#components/ui/preference-cookies.ts';
import { usePreferences } from '#components/ui/preferences.tsx';
import type { Me } from '#server/contract/people.ts';
import { useMe } from './queries.ts';

const THEMES: readonly { readonly value: Preferences['theme']; readonly label: string }[] = [
  { value: 'system', label: 'Theme: as the system' },
  { value: 'light', label: 'Theme: light' },
  { value: 'dark', label: 'Theme: dark' },
];

/** Who is signed in; acting as another demo user, this browser's preferences, signing out. */
export function AccountMenu({ compact = false }: { readonly compact?: boolean | undefined }) {
  const me = useMe().data;
  const preferences = usePreferences();
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          className={cn(
            'flex min-w-0 items-center gap-2 rounded-control text-left hover:bg-sunken',
            compact ? 'size-8 justify-center' : 'min-h-9 grow px-2',
          )}
        >
          <span className="sr-only">{compact ? `Account: ${me?.name ?? ''} ` : 'Account: '}</span>
          {compact ? (
            <span aria-hidden className="font-medium text-meta">
              {initials(me?.name)}
            </span>
          ) : (
            <span className="min-w-0">
              <span className="block truncate">{me?.name ?? '…'}</span>
              <span className="block truncate text-ink-3 text-meta">
                {me === undefined ? '' : me.roles.join(', ') || 'no role'}
              </span>
            </span>
          )}
        </button>
      }
      items={[
        ...actAs(me),
        ...preferenceItems(preferences),
        'line',
        { label: 'Sign out', onSelect: () => void leave() },
      ]}
    />
  );
}

function actAs(me: Me | undefined): readonly MenuItem[] {
  const others = me?.demoUsers.filter(({ id }) => id !== me.id) ?? [];
  if (others.length === 0) return [];
  return [
    { heading: 'Act as (demo users of this installation)' },
    ...others.map(({ id, name, about }) => ({
      label: (
        <>
          {name} <span className="text-ink-3">{about}</span>
        </>
      ),
      onSelect: () => void become(id),
    })),
    'line',
  ];
}

// Loaded when it is used: most pages never sign anybody in or out.
async function become(userId: string): Promise<void> {
  const { signIn } = await import('next-auth/react');
  await signIn('demo', { userId, callbackUrl: location.pathname + location.search });
}

async function leave(): Promise<void> {
  const { signOut } = await import('next-auth/react');
  await signOut({ callbackUrl: '/sign-in' });
}

function preferenceItems({
  theme,
  zone,
  singleKeys,
  setPreference,
}: ReturnType<typeof usePreferences>): readonly MenuItem[] {
  return [
    { heading: 'This browser' },
    ...THEMES.map(({ value, label }) => ({
      label,
      checked: theme === value,
      onSelect: () => setPreference('theme', value),
    })),
    'line',
    { label: 'Times in local time', checked: zone === 'local', onSelect: () => setPreference('zone', 'local') },
    { label: 'Times in UTC', checked: zone === 'utc', onSelect: () => setPreference('zone', 'utc') },
    'line',
    {
      label: singleKeys === 'on' ? 'Switch single keys off' : 'Switch single keys on',
      onSelect: () => setPreference('singleKeys', singleKeys === 'on' ? 'off' : 'on'),
    },
  ];
}

function initials(name: string | undefined): string {
  const words = name?.split(/\s+/) ?? [];
  return (
    words
      .map((word) => word[0] ?? '')
      .join('')
      .slice(0, 2)
      .toUpperCase() || '…'
  );
}
