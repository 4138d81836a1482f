/** How the console treats people: light pages, no mouse needed, links that keep, odd ids whole, refusals that explain. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actAs, launchBrowser, settled, visit } from './browser.ts';
import { fillPages, state } from './change-acts.ts';
import { focusedOf, tabTo } from './focus.ts';
import { SIGNED_IN_PAGES } from './pages.ts';
import { callGateway, type Stack, startStack, until } from './stack.ts';

const MOST_SCRIPT_BYTES = 275 * 1024;
const MOST_SHIFT = 0.02;

let stack: Stack;
let browser: Browser;
const url = (path: string) => `${stack.run().gatewayUrl}/v1/chat/objects/${path}`;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  await fillPages(stack, browser);
});
afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
});

test('a page asks for at most 275 KB of script at first, compressed, and nothing jumps when its data and charts come', async () => {
  const faults: string[] = [];
  for (const [as, pages] of Map.groupBy(SIGNED_IN_PAGES, (one) => one.as)) {
    const { page, context } = await visit(browser, stack.run().consoleUrl, { as });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    const scripts = new Map<string, string>();
    const sizes = new Map<string, number>();
    devtools.on('Network.responseReceived', ({ type, requestId, response }) => {
      if (type === 'Script') scripts.set(requestId, new URL(response.url).pathname);
    });
    // As sent over the wire, heads included.
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const script = scripts.get(requestId);
      if (script !== undefined) sizes.set(script, encodedDataLength);
    });
    await page.addInitScript(() => {
      const shifts: { sum: number } = { sum: 0 };
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) shifts.sum += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const { name, path } of pages) {
      const html = (await (await page.goto(path))?.text()) ?? '';
      await settled(page);
      // What the page itself names; charts, editor and palette come by themselves after the first paint.
      const first = [...sizes].filter(([script]) => html.includes(script.slice(script.lastIndexOf('/'))));
      const bytes = first.reduce((sum, [, size]) => sum + size, 0);
      const shift = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
      expect(bytes, `${name} loads its scripts`).toBeGreaterThan(50_000);
      if (bytes > MOST_SCRIPT_BYTES) faults.push(`${name} loads ${Math.round(bytes / 1024)} KB of script`);
      if (shift > MOST_SHIFT) faults.push(`${name} shifts by ${shift.toFixed(3)}`);
    }
    await context.close();
  }
  expect(faults).toEqual([]);
});

test('without a mouse a type is registered, and every stop of Tab is seen', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  await page.goto('/types');
  await settled(page);
  await page.keyboard.press('n');
  await page.waitForURL(/\/changes\/new/);
  await tabTo(page, 'textbox', /^Title/);
  await page.keyboard.type('Add stickers');
  await tabTo(page, 'textbox', /^Reason/);
  await page.keyboard.type('by keyboard');
  await tabTo(page, 'button', /^Start the change/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add an edit' });
  await dialog.waitFor();
  await tabTo(page, 'textbox', /^Name/);
  await page.keyboard.type('Sticker');
  await tabTo(page, 'button', /^Add object type/);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await tabTo(page, 'textbox', /^Purpose/);
  await page.keyboard.type('A sticker on a message.');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page
    .getByRole('complementary', { name: /findings/i })
    .getByText('Nothing to fix')
    .waitFor();
  await page.keyboard.press('Control+Enter');
  await state(page, 'In review').waitFor();
  await context.close();
});

test('without a mouse a key is revoked, and focus returns from the overlay to where it was', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  await page.goto('/principals/chat-api');
  await settled(page);
  await tabTo(page, 'button', /^Make a key/);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect((await focusedOf(page))?.name).toMatch(/^Make a key/);
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', /^Where it is used/);
  await page.keyboard.type('no mouse');
  await tabTo(page, 'button', /^Make the key/);
  await page.keyboard.press('Enter');
  // Making a key publishes a release, which takes as long as it takes.
  await page.getByRole('button', { name: /^I have copied it/ }).waitFor({ timeout: 45_000 });
  await tabTo(page, 'button', /^I have copied it/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Revoke key no mouse/ }).waitFor();
  await tabTo(page, 'button', /^Revoke key no mouse/);
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', /^Reason/);
  await page.keyboard.type('a drill');
  await tabTo(page, 'button', /^Revoke key/);
  await page.keyboard.press('Enter');
  await page
    .getByText(/Revoked/)
    .first()
    .waitFor();
  await context.close();
});

test('a menu opens by mouse and by keyboard, moves with arrows, and gives focus back to its button', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  await page.goto('/types/Message');
  await settled(page);
  const menu = page.getByRole('menu');
  const button = page.getByRole('button', { name: 'More ways to change it' });
  await button.click();
  await menu.waitFor();
  const [box, at] = [await menu.boundingBox(), await button.boundingBox()];
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) - (at?.x ?? 0) - (at?.width ?? 0))).toBeLessThan(12);
  expect((box?.y ?? 0) - (at?.y ?? 0) - (at?.height ?? 0)).toBeLessThan(12);
  await button.click();
  await menu.waitFor({ state: 'detached' });
  for (const key of ['Enter', 'ArrowDown']) {
    await page.keyboard.press(key);
    await menu.waitFor();
    await page.keyboard.press('ArrowDown');
    await until(async () => (await focusedOf(page))?.role === 'menuitem', { what: 'an item to have focus' });
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await until(async () => (await focusedOf(page))?.name === 'More ways to change it', {
      what: 'the focus to come back',
    });
  }
  await button.click();
  await page.getByRole('menuitem', { name: 'A new change' }).click();
  await page.waitForURL(/\/changes\/\d+/);
  await context.close();
});

test('with single keys off a letter does nothing, and the palette still opens', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  const press = async (keys: string) => {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
  };
  await page.goto('/');
  await settled(page);
  await press('g l');
  await page.waitForURL(/\/latency/);
  await press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByRole('checkbox', { name: /Single keys are on/ }).uncheck();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await press('g t');
  await press('?');
  await press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  expect(new URL(page.url()).pathname).toBe('/latency');
  await page.reload();
  await settled(page);
  await press('g t');
  await press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  expect(new URL(page.url()).pathname).toBe('/latency');
  await context.close();
});

test('a copied link shows the same minutes later, a copied live link shows the newest', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Olga Ek' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/latency/chat?range=15m');
  await settled(page);
  await page.locator('figure svg').first().waitFor();
  const copied = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const asked = (link: string) => {
    const { searchParams } = new URL(link);
    return { from: searchParams.get('from'), to: searchParams.get('to'), range: searchParams.get('range') };
  };
  const [pinned, live] = [await copied('Copy link'), await copied('Copy live link')];
  expect(asked(pinned)).toEqual({ from: expect.any(String), to: expect.any(String), range: null });
  expect(asked(live)).toMatchObject({ from: null, to: null });
  const spans: (string | null)[] = [];
  const other = await visit(browser, stack.run().consoleUrl, { as: 'Olga Ek' });
  other.page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/latency/chat') spans.push(searchParams.get('from'));
  });
  await other.page.clock.install({ time: Date.now() + 3_600_000 });
  await other.page.goto(pinned);
  await settled(other.page);
  await until(() => spans.length > 0, { what: 'the page to ask for its minutes' });
  expect(new Set(spans).size).toBe(1);
  const minutes = await other.page.getByRole('button', { name: /^Time/ }).first().textContent();
  await other.page.goto(live);
  await settled(other.page);
  expect(await other.page.getByRole('button', { name: /^Time/ }).first().textContent()).not.toBe(minutes);
  await other.context.close();
  await context.close();
});

/** 255 bytes: text in both directions, marks of direction, an emoji of several code points. */
const ODD = `שלום\u200f👩‍👩‍👧\u202eabc${'x'.repeat(255 - Buffer.byteLength('שלום\u200f👩‍👩‍👧\u202eabc'))}`;

test('an id of 255 bytes with emoji and marks of direction stays whole in lists, sentences and copies', async () => {
  const call = {
    key: stack.demoKey(),
    method: 'PUT',
    body: '{"text":"odd"}',
    headers: { 'content-type': 'application/json' },
  };
  const wrote = await callGateway(url(`Message/${encodeURIComponent(ODD)}`), call);
  expect(wrote.status).toBe(201);
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Sam Lee' });
  await until(
    async () => {
      await page.goto('/audit?filter=did%3Awrote');
      await settled(page);
      return (await page.getByRole('main').textContent())?.includes(ODD) === true;
    },
    { what: 'the audit row of the odd id' },
  );
  const isolated = page.locator('main bdi', { hasText: ODD });
  expect(await isolated.count(), 'it stands in a bdi, so that its marks turn nothing else around').toBeGreaterThan(0);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
  await context.close();
});

test('an engineer of another team reads definitions and not traffic; each refused act says why and who can', async () => {
  const admin = await visit(browser, stack.run().consoleUrl, { as: 'Ada Moss' });
  const headers = { 'x-habitat-csrf': '1', origin: new URL(admin.page.url()).origin };
  const data = { roles: ['engineer'], reason: 'helps out' };
  const given = await admin.page.request.put('/api/settings/people/sam/roles', { headers, data });
  expect(given.status(), await given.text()).toBe(200);
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Sam Lee' });
  await page.goto('/types/Message');
  await settled(page);
  await page
    .getByRole('heading', { name: /Message/ })
    .first()
    .waitFor();
  await page.goto('/latency/chat');
  await page
    .getByText(/Traffic of chat is for its team \(chat\) and for operators, security/)
    .first()
    .waitFor();
  await page.goto('/requests');
  await settled(page);
  await page.goto('/changes/1');
  await settled(page);
  expect(await countRefusedActs(page)).toBeGreaterThan(0);
  await actAs(page, 'Ada Moss');
  await admin.page.request.put('/api/settings/people/sam/roles', {
    headers,
    data: { roles: ['security'], reason: 'back' },
  });
  await context.close();
  await admin.context.close();
});

/** Acts that are refused in place; each is described by a sentence that says why. */
async function countRefusedActs(page: Page): Promise<number> {
  const refused = page.getByRole('main').locator('button[aria-disabled=true]');
  for (const button of await refused.all()) {
    const why = await button.evaluate((element) => {
      const id = element.getAttribute('aria-describedby');
      return id === null ? (element.getAttribute('title') ?? '') : (document.getElementById(id)?.textContent ?? '');
    });
    expect(why, await button.textContent().then(String)).toMatch(/\w+ .*\./);
  }
  return refused.count();
}
