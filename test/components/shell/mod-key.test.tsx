// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { KeyCaps } from '#components/shell/key-caps.tsx';
import { hasAppleKeyboard } from '#components/ui/apple-keyboard.ts';
import { ModKeyProvider, PaletteKeys } from '#components/ui/mod-key.tsx';
import { openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => page?.close());

const keysOn = (isApple: boolean) => {
  page?.close();
  page = openPage(
    <ModKeyProvider isApple={isApple}>
      <KeyCaps keys="mod+k" /> <PaletteKeys />
    </ModKeyProvider>,
  );
  return page.body.textContent;
};

it('names the key that is on the keyboard', () => {
  expect(keysOn(false)).toBe('CtrlK Ctrl K');
  expect(keysOn(true)).toBe('⌘K ⌘K');
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0', false],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0', true],
  [null, false],
])('%s', (userAgent, isApple) => {
  expect(hasAppleKeyboard(userAgent)).toBe(isApple);
});

it('no page writes ⌘ by itself', () => {
  const folders = ['app', 'components'].map((name) => resolve(import.meta.dirname, '..', '..', '..', name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const found = files.filter((file) => withoutComments(readFileSync(file, 'utf8')).includes('⌘'));
  expect(found.map((file) => file.split('/').at(-1))).toEqual(['mod-key.tsx']);
});
