/** What a person may set for this browser. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly zone: 'local' | 'utc';
  readonly singleKeys: 'on' | 'off';
  readonly sidebar: 'open' | 'collapsed';
  /** The first steps on Home; they also go by themselves once all are done. */
  readonly firstSteps: 'shown' | 'dismissed';
}

export const COOKIES: Readonly<Record<keyof Preferences, string>> = {
  theme: 'habitat-theme',
  zone: 'habitat-zone',
  singleKeys: 'habitat-keys',
  sidebar: 'habitat-sidebar',
  firstSteps: 'habitat-first-steps',
};

/** Reads the cookies; anything unknown falls back to the default. Used by the root layout, so it runs on the server. */
export function readPreferences(cookie: (name: string) => string | undefined): Preferences {
  const pick = <Value extends string>(key: keyof Preferences, values: readonly [Value, ...Value[]]): Value => {
    const found = cookie(COOKIES[key]);
    return values.find((value) => value === found) ?? values[0];
  };
  return {
    theme: pick('theme', ['system', 'light', 'dark']),
    zone: pick('zone', ['local', 'utc']),
    singleKeys: pick('singleKeys', ['on', 'off']),
    sidebar: pick('sidebar', ['open', 'collapsed']),
    firstSteps: pick('firstSteps', ['shown', 'dismissed']),
  };
}
