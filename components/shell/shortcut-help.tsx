'use client';

import { Dialog } from '#components/ui/dialog.tsx';
import { PaletteKeys } from '#components/ui/mod-key.tsx';
import { usePreferences } from '#components/ui/preferences.tsx';
import type { Shortcut } from '#components/ui/shortcut-book.ts';
import { useShortcutList } from '#components/ui/shortcuts.tsx';
import { KeyCaps } from './key-caps.tsx';

const GROUPS = ['This page', 'Go to', 'Everywhere'] as const;

/** Keys that every list and overlay answers by itself. */
const BUILT_IN: readonly Pick<Shortcut, 'keys' | 'label'>[] = [
  { keys: 'j', label: 'Next row (also ↓)' },
  { keys: 'k', label: 'Row before (also ↑)' },
  { keys: 'enter', label: 'Open the row' },
  { keys: 'space', label: 'Show the row in the panel' },
  { keys: 'esc', label: 'Close what is on top' },
];

/** The keys that work on this page now. */
export function ShortcutHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const shortcuts = useShortcutList();
  const { singleKeys, setPreference } = usePreferences();
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      <div className="grid gap-5">
        {GROUPS.map((group) => {
          const here = shortcuts.filter((shortcut) => (shortcut.group ?? 'This page') === group);
          const list = group === 'Everywhere' ? [...here, ...BUILT_IN] : here;
          return list.length === 0 ? null : <KeyGroup key={group} title={group} list={list} />;
        })}
        <label className="flex items-center gap-2 border-line border-t pt-4">
          <input
            type="checkbox"
            checked={singleKeys === 'on'}
            onChange={(event) => setPreference('singleKeys', event.target.checked ? 'on' : 'off')}
            className="size-4 accent-accent"
          />
          Single keys are on. <PaletteKeys /> works either way.
        </label>
      </div>
    </Dialog>
  );
}

function KeyGroup({
  title,
  list,
}: {
  readonly title: string;
  readonly list: readonly Pick<Shortcut, 'keys' | 'label'>[];
}) {
  return (
    <section>
      <h3 className="mb-1 text-ink-3 text-meta">{title}</h3>
      <dl className="grid tablet:grid-cols-2 tablet:gap-x-8">
        {list.map(({ keys, label }) => (
          <div key={keys} className="flex min-h-7 items-center justify-between gap-3 border-line border-b">
            <dt>{label}</dt>
            <dd>
              <KeyCaps keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
