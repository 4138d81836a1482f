'use client';

import { Checkbox } from '#components/ui/checkbox.tsx';
import { useModKey } from '#components/ui/mod-key.tsx';
import { usePreferences } from '#components/ui/preferences.tsx';

/** What is kept in this browser only: theme, zone, single keys, first steps. */
export function BrowserSettings() {
  const { theme, zone, singleKeys, firstSteps, setPreference } = usePreferences();
  const mod = useModKey();
  return (
    <div className="grid max-w-xl gap-6">
      <Choice title="Theme">
        <Checkbox
          kind="radio"
          name="theme"
          label="As the system"
          checked={theme === 'system'}
          onChange={() => setPreference('theme', 'system')}
        />
        <Checkbox
          kind="radio"
          name="theme"
          label="Light"
          checked={theme === 'light'}
          onChange={() => setPreference('theme', 'light')}
        />
        <Checkbox
          kind="radio"
          name="theme"
          label="Dark"
          checked={theme === 'dark'}
          onChange={() => setPreference('theme', 'dark')}
        />
      </Choice>
      <Choice title="Times">
        <Checkbox
          kind="radio"
          name="zone"
          label="In local time"
          checked={zone === 'local'}
          onChange={() => setPreference('zone', 'local')}
        />
        <Checkbox
          kind="radio"
          name="zone"
          label="In UTC"
          hint="t u switches it on any page."
          checked={zone === 'utc'}
          onChange={() => setPreference('zone', 'utc')}
        />
      </Choice>
      <Choice title="Keys">
        <Checkbox
          label="Single keys"
          hint={`g l, j, k and the like. The palette on ${mod.with('K')} works either way; ? lists them.`}
          checked={singleKeys === 'on'}
          onChange={(event) => setPreference('singleKeys', event.target.checked ? 'on' : 'off')}
        />
      </Choice>
      <Choice title="Home">
        <Checkbox
          label="First steps"
          hint="They go by themselves once all are done."
          checked={firstSteps === 'shown'}
          onChange={(event) => setPreference('firstSteps', event.target.checked ? 'shown' : 'dismissed')}
        />
      </Choice>
    </div>
  );
}

function Choice({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <fieldset className="grid gap-2 border-line border-b pb-6 last:border-b-0">
      <legend className="mb-2 font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}
