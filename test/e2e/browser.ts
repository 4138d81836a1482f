import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Launches the machine's own Chromium. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = CANDIDATES.find((path) => path !== undefined && existsSync(path));
  if (!executablePath) throw new Error('No browser found: install chromium, or set CHROMIUM_PATH to one.');
  return chromium.launch({ executablePath, args: FLAGS, downloadsPath: mkdtempSync(join(tmpdir(), 'habitat-dl-')) });
}

export type Theme = 'light' | 'dark';

/** A browser profile of one person, signed in by the demo user's name, that remembers everything the console logged. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors, warnings and CSP violations logged by pages so far. */
  readonly complaints: () => readonly string[];
}

export async function visit(
  browser: Browser,
  consoleUrl: string,
  options: { readonly as?: string; readonly theme?: Theme; readonly width?: number } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: consoleUrl,
    viewport: { width: options.width ?? 1280, height: options.width && options.width < 700 ? 844 : 900 },
    colorScheme: options.theme ?? 'light',
    reducedMotion: 'reduce',
  });
  await context.addCookies([{ name: 'habitat-theme', value: options.theme ?? 'light', url: consoleUrl }]);
  // A page that is slower than this is a fault that a person would see.
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  if (options.as) await signIn(page, options.as);
  return { page, context, complaints: () => complaints };
}

/** One click on a demo user of the sign-in page. */
export async function signIn(page: Page, name: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: new RegExp(name) }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in') && !url.pathname.startsWith('/signin'));
  await page.getByRole('navigation').first().waitFor();
}

/** *Act as …* in the account menu; the page stays where it is. */
export async function actAs(page: Page, name: string): Promise<void> {
  const account = page.getByRole('button', { name: /^Account:/ }).first();
  if ((await account.textContent())?.includes(name)) return;
  await account.click();
  await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name: new RegExp(name) }).click()]);
  await page
    .getByRole('button', { name: new RegExp(`^Account: *${name}`) })
    .first()
    .waitFor();
}

/**
 * Waits until a page shows what it is about: its heading, no loading state, and every figure drawn. The live stream stays
 * open, so "network idle" never comes.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Target release/ })
    .waitFor();
  await page.waitForFunction(() => {
    const figures = [...document.querySelectorAll('figure')];
    const isDrawn = figures.every((figure) => figure.querySelector('svg, canvas, table, p') !== null);
    return isDrawn && document.querySelector('[role="status"][aria-label^="Loading"]') === null;
  });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds of serious or critical impact, one line each: rule, and the first elements that break it. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }).axe;
    interface Violation {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
    }
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map((node) => `${node.target.join(' ')} (${node.failureSummary})`)
            .join(' | ')}`,
      );
  });
}

/** By how many pixels the page is wider than the window; anything above 0 scrolls sideways. */
export function sidewaysPixels(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What a box cuts off sideways, one line each; a text that ends in an ellipsis says so itself. */
export function cutSideways(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
      if (element.offsetParent === null || element.clientWidth <= 1 || element.closest('svg, canvas')) return [];
      const { overflowX, textOverflow } = getComputedStyle(element);
      const cuts = overflowX === 'hidden' || overflowX === 'clip';
      const px = element.scrollWidth - element.clientWidth;
      if (!cuts || px <= 1 || textOverflow === 'ellipsis') return [];
      return [`${px} px of “${(element.textContent ?? '').replace(/\s+/g, ' ').slice(0, 60)}”`];
    }),
  );
}

/** The text size that a person set in the browser, in percent of the usual. */
export async function setTextSize(page: Page, percent: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const fontSizes = { standard: Math.round(16 * (percent / 100)), fixed: Math.round(13 * (percent / 100)) };
  await devtools.send('Page.setFontSizes', { fontSizes });
  await devtools.detach();
}
