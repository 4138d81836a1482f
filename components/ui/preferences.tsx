'use client';

import { createContext, use, useCallback, useMemo, useState } from 'react';
import { COOKIES, type Preferences } from './preference-cookies.ts';

interface PreferencesValue extends Preferences {
  readonly setPreference: <Key extends keyof Preferences>(key: Key, value: Preferences[Key]) => void;
}

const PreferencesContext = createContext<PreferencesValue | undefined>(undefined);

/** Theme, zone, single keys and sidebar of this browser. They live in cookies so that the server renders them right at once. */
export function PreferencesProvider({
  initial,
  children,
}: {
  readonly initial: Preferences;
  readonly children: React.ReactNode;
}) {
  const [preferences, setPreferences] = useState(initial);
  const setPreference = useCallback<PreferencesValue['setPreference']>((key, value) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and on plain http
    document.cookie = `${COOKIES[key]}=${value}; path=/; max-age=31536000; samesite=lax`;
    if (key === 'theme') document.documentElement.dataset.theme = value;
    setPreferences((now) => ({ ...now, [key]: value }));
  }, []);
  const value = useMemo(() => ({ ...preferences, setPreference }), [preferences, setPreference]);
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

/** This browser's preferences and the one way to set them. */
export function usePreferences(): PreferencesValue {
  const value = use(PreferencesContext);
  if (value === undefined) throw new Error('usePreferences needs a PreferencesProvider above it');
  return value;
}
