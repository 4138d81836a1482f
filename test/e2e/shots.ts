/**
 * `npm run shots`: a picture of every page, light and dark, at 390 and 1,280 px, signed in as the role that uses it, in
 * shots/. For people to look at; it asserts nothing. Uses the running `npm start`, or starts one on free ports.
 * `npm run shots -- latency` takes only pages whose name contains the word.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, settled, type Theme, visit } from './browser.ts';
import { draftChange } from './change-acts.ts';
import { type PageOf, SIGNED_IN_PAGES } from './pages.ts';
import { startStack } from './stack.ts';

const only = process.argv[2] ?? '';
const wanted = SIGNED_IN_PAGES.filter(({ name }) => name.includes(only));
const running = await runningConsole();
const stack = running ? null : await startStack();
const consoleUrl = running ?? stack?.run().consoleUrl ?? '';
const browser = await launchBrowser();
mkdirSync('shots', { recursive: true });
try {
  await ensureChange(browser);
  for (const theme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) await shootAll(browser, { theme, width });
} finally {
  await browser.close();
  await stack?.[Symbol.asyncDispose]();
}

async function runningConsole(): Promise<string | null> {
  const file = join(process.env.HABITAT_HOME ?? '.habitat', 'run.json');
  if (!existsSync(file)) return null;
  const { consoleUrl: url } = JSON.parse(readFileSync(file, 'utf8')) as { consoleUrl: string };
  return (await fetch(`${url}/healthz`).catch(() => null))?.ok ? url : null;
}

/** A fresh example has no change yet; the page of one should not be missing from the pictures. */
async function ensureChange(from: Browser): Promise<void> {
  const { page, context } = await visit(from, consoleUrl, { as: 'Ana Ruiz' });
  const { items } = (await (await page.request.get('/api/changes?state=all')).json()) as { items: unknown[] };
  if (items.length === 0) await draftChange(page);
  await context.close();
}

async function shootAll(from: Browser, look: { readonly theme: Theme; readonly width: number }): Promise<void> {
  const people = Map.groupBy(wanted, ({ as }) => as);
  for (const [as, pages] of people) {
    const { page, context } = await visit(from, consoleUrl, { as, ...look });
    for (const one of pages) await shoot(page, one, look);
    await context.close();
  }
}

async function shoot(
  page: Awaited<ReturnType<typeof visit>>['page'],
  { name, path }: PageOf,
  look: { readonly theme: Theme; readonly width: number },
): Promise<void> {
  await page.goto(path);
  await settled(page);
  const file = join('shots', `${name}-${look.theme}-${look.width}.png`);
  await page.screenshot({ path: file, fullPage: true });
  console.log(file);
}
