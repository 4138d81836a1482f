/** What holds on every page: no sideways scroll, nothing cut off, also with text of double size, nothing serious for axe, a clean console log, in both themes. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cutSideways,
  launchBrowser,
  seriousFaults,
  setTextSize,
  settled,
  sidewaysPixels,
  type Theme,
  visit,
} from './browser.ts';
import { fillPages } from './change-acts.ts';
import { SIGNED_IN_PAGES } from './pages.ts';
import { type Stack, startStack } from './stack.ts';

const WIDTHS = [320, 390, 640, 900, 1280, 1760] as const;
/** axe looks at the two layouts; the widths between share their markup. */
const AXE_WIDTHS: readonly number[] = [390, 1280];

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  await fillPages(stack, browser);
});
afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
});

const people = [...Map.groupBy(SIGNED_IN_PAGES, ({ as }) => as)];

test.each((['light', 'dark'] as const).flatMap((theme) => people.map(([as, pages]) => ({ theme, as, pages }))))(
  'pages of $as in the $theme theme fit every width, satisfy axe and log nothing',
  async ({ theme, as, pages }: { theme: Theme; as: string; pages: typeof SIGNED_IN_PAGES }) => {
    const { page, context, complaints } = await visit(browser, stack.run().consoleUrl, { as, theme });
    const faults: string[] = [];
    for (const { name, path } of pages) {
      await page.goto(path);
      await settled(page);
      const look = async (at: string) => {
        const sideways = await sidewaysPixels(page);
        if (sideways > 0) faults.push(`${name} ${at}: ${sideways} px wider than the window`);
        for (const cut of await cutSideways(page)) faults.push(`${name} ${at} cuts ${cut}`);
      };
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        await look(`at ${width}`);
        if (!AXE_WIDTHS.includes(width)) continue;
        for (const fault of await seriousFaults(page)) faults.push(`${name} at ${width}: ${fault}`);
      }
      await page.setViewportSize({ width: 1280, height: 844 });
      await setTextSize(page, 200);
      await look('with text of double size');
      await setTextSize(page, 100);
    }
    expect(faults).toEqual([]);
    expect(complaints()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
    await context.close();
  },
);

test('the policy of every page forbids inline scripts and framing, and nothing leaves the host', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  for (const { path } of SIGNED_IN_PAGES.filter((one) => one.as === 'Ana Ruiz')) {
    const reply = await page.goto(path);
    const headers = reply?.headers() ?? {};
    const scripts = headers['content-security-policy']?.split(';').find((part) => part.trim().startsWith('script-src'));
    expect(scripts, path).toMatch(/'nonce-/);
    expect(scripts, path).not.toMatch(/unsafe-inline|unsafe-eval/);
    expect(headers['content-security-policy'], path).toMatch(/frame-ancestors 'none'/);
    expect(headers['x-content-type-options'], path).toBe('nosniff');
  }
  expect([...hosts]).toEqual([new URL(stack.run().consoleUrl).host]);
  await context.close();
});

test('a page about something that is not there says so as its only heading', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Olga Ek' });
  const numbered = ['changes/999999', 'releases/999999', 'errors/no_such_code', 'errors/operations/no-such-act'];
  const named = ['types/Nobody', ...['latency', 'policies', 'principals', 'tenants'].map((at) => `${at}/nobody`)];
  for (const path of [...numbered, ...named]) {
    await page.goto(`/${path}`);
    await settled(page);
    await page.getByRole('heading', { level: 1, name: /^(There is no|Nothing is at)/ }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1);
  }
  await context.close();
});

test('what is selected in a field that the server drew is still selected once the page has taken over', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await page.goto('/changes/new?add=objectType', { waitUntil: 'commit' });
  const title = page.getByLabel('Title');
  await title.selectText();
  // React marks an element that it has taken over.
  await page.waitForFunction(
    (field) => Object.keys(field ?? {}).some((key) => key.startsWith('__reactProps')),
    await title.elementHandle(),
  );
  await expect.poll(() => title.isEditable()).toBe(true);
  await page.keyboard.insertText('Add pins');
  expect(await title.inputValue()).toBe('Add pins');
  await context.close();
});
