import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';
import { AnnouncerProvider } from '#components/ui/announcer.tsx';
import { type Preferences, readPreferences } from '#components/ui/preference-cookies.ts';
import { PreferencesProvider } from '#components/ui/preferences.tsx';
import { ShortcutsProvider } from '#components/ui/shortcuts.tsx';

/** A page in a DOM without a browser. `@vitest-environment happy-dom` stands at the top of each file that uses it. */
export interface Page {
  readonly body: HTMLElement;
  readonly show: (content: React.ReactNode) => void;
  readonly press: (key: string, on?: Element | null, held?: KeyboardEventInit) => void;
  readonly focus: (element: HTMLElement) => void;
  readonly click: (element: Element) => void;
  readonly type: (field: Element, text: string) => void;
  /** Lets a faked clock run. */
  readonly wait: (ms: number) => void;
  readonly close: () => void;
}

/** Renders content inside everything that a page stands on. */
export function openPage(content: React.ReactNode, preferences: Partial<Preferences> = {}): Page {
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
  const body = document.createElement('div');
  document.body.append(body);
  const root = createRoot(body);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const initial = { ...readPreferences(() => undefined), ...preferences };
  const show = (next: React.ReactNode) =>
    act(() =>
      root.render(
        <PreferencesProvider initial={initial}>
          <QueryClientProvider client={client}>
            <ShortcutsProvider>
              <AnnouncerProvider>{next}</AnnouncerProvider>
            </ShortcutsProvider>
          </QueryClientProvider>
        </PreferencesProvider>,
      ),
    );
  show(content);
  return {
    body,
    show,
    press: (key, on = document.activeElement, held = {}) =>
      act(() => {
        on?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }));
      }),
    focus: (element) => act(() => element.focus()),
    click: (element) =>
      act(() => {
        element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      }),
    type: (field, text) =>
      act(() => {
        // React listens to the prototype's setter, so a plain assignment would go unseen.
        const prototype = Object.getPrototypeOf(field) as object;
        Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    wait: (ms) =>
      act(() => {
        vi.advanceTimersByTime(ms);
      }),
    close: () => {
      act(() => root.unmount());
      body.remove();
    },
  };
}

/** The one element that has this selector and, if given, this text. */
export function find(selector: string, text?: string): HTMLElement {
  const all = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (element) => text === undefined || element.textContent?.includes(text),
  );
  const [first] = all;
  if (first === undefined) throw new Error(`nothing matches ${selector} ${text ?? ''}`);
  return first;
}
