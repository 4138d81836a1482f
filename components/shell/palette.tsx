'use client';

import { Command, defaultFilter } from 'cmdk';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { plural } from '#components/ui/format-number.ts';
import { Glyph } from '#components/ui/glyph.tsx';
import { rememberFocus } from '#components/ui/remember-focus.ts';
import { SaidHere } from '#components/ui/said.tsx';
import { useShortcutList } from '#components/ui/shortcuts.tsx';
import { useNews } from '#components/ui/use-news.ts';
import { useSettled } from '#components/ui/use-settled.ts';
import { KeyCaps } from './key-caps.tsx';
import { ALL_NAV } from './nav-items.ts';
import { pastedTarget } from './pasted-target.ts';
import { useFoundNames } from './use-found-names.ts';

const ITEM =
  'flex min-h-8 items-center gap-2 rounded-control px-2 data-[selected=true]:bg-accent-wash pointer-coarse:min-h-11';
const GROUP =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-ink-3 [&_[cmdk-group-heading]]:text-meta';

/** Nobody is told of results while typing goes on. */
const SAID_AFTER_MS = 600;

/** Everything by name: places, acts of this page, definitions, pasted ids. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const [text, setText] = useState('');
  const isMeant = (label: string) => defaultFilter(label, text) > 0;
  const places = ALL_NAV.filter(({ label }) => isMeant(label));
  const acts = useShortcutList().filter(({ group, label }) => group !== 'Go to' && isMeant(label));
  const pasted = pastedTarget(text);
  const { names, isLooking } = useFoundNames(text);
  const results = (pasted === undefined ? 0 : 1) + names.length + places.length + acts.length;
  const isSettled = useSettled(text, SAID_AFTER_MS) === text && !isLooking;
  useNews(text === '' ? '' : isSettled ? resultWords(results) : undefined);
  useReturnFocus(ref);
  const go = (href: string) => {
    onClose();
    router.push(href);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way out and the browser's own
    <dialog
      ref={ref}
      aria-label="Search, go, act"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
      className="overlay mx-auto mt-[12vh] w-[min(36rem,calc(100vw-2rem))] max-w-none rounded-overlay border border-line bg-surface p-0 text-ink shadow-overlay"
    >
      {/* Filtered here: cmdk does not count what it is told to show in any case, and then selects nothing for Enter. */}
      <Command label="Search, go, act" loop shouldFilter={false}>
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="A name, a page, an act, or a pasted id"
          className="h-11 w-full border-line border-b bg-transparent px-4 text-prose outline-none placeholder:text-ink-3"
        />
        <Command.List className="max-h-[50vh] overflow-y-auto p-1">
          <Command.Empty className="px-2 py-3 text-ink-3">{isLooking ? 'Looking…' : resultWords(0)}</Command.Empty>
          {pasted !== undefined && (
            <Command.Item value={`pasted ${text}`} onSelect={() => go(pasted.href)} className={ITEM}>
              <Glyph kind={pasted.glyph} className="text-ink-3" />
              {pasted.label}
            </Command.Item>
          )}
          {names.length > 0 && (
            <Command.Group heading="Names" className={GROUP}>
              {names.map(({ key, glyph, name, about, href }) => (
                <Command.Item key={key} value={key} onSelect={() => go(href)} className={ITEM}>
                  <Glyph kind={glyph} named className="text-ink-3" />
                  <bdi className="font-mono">{name}</bdi>
                  <span className="ml-auto truncate text-ink-3 text-meta">{about}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Go to" className={GROUP}>
            {places.map(({ label, href, keys }) => (
              <Command.Item key={href} value={`go ${label}`} onSelect={() => go(href)} className={ITEM}>
                <span className="grow">{label}</span>
                {keys !== undefined && <KeyCaps keys={keys} />}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Do" className={GROUP}>
            {acts.map(({ keys, label, run }) => (
              <Command.Item
                key={`${keys} ${label}`}
                value={`do ${label}`}
                onSelect={() => {
                  onClose();
                  // After the dialog gave focus back, so that an act that moves focus keeps it.
                  requestAnimationFrame(run);
                }}
                className={ITEM}
              >
                <span className="grow">{label}</span>
                <KeyCaps keys={keys} />
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
      <SaidHere />
    </dialog>
  );
}

const resultWords = (count: number): string => (count === 0 ? 'Nothing has this name.' : plural(count, 'result'));

function useReturnFocus(ref: React.RefObject<HTMLDialogElement | null>) {
  useEffect(() => {
    const dialog = ref.current;
    const giveBack = rememberFocus();
    dialog?.showModal();
    // The list's own frame takes focus first otherwise.
    dialog?.querySelector('input')?.focus();
    return () => {
      dialog?.close();
      giveBack();
    };
  }, [ref]);
}
