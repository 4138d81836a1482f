/**
 * The registry's pages as their people use them: a type's neighbours, tests of a policy written in its form and made of a
 * refused request, and every question that opens over a page, in both themes.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { actAs, launchBrowser, seriousFaults, settled, type Theme, type Visitor, visit } from './browser.ts';
import { approveAndPublish, sendToReview, startChange } from './change-acts.ts';
import { callGateway, type Stack, startStack, until } from './stack.ts';

let stack: Stack;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  visitor = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  page = visitor.page;
  visitor.context.setDefaultTimeout(45_000);
});
afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page.screenshot({ path: `shots/failed-${task.name.slice(0, 40)}.png`, fullPage: true });
});

const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
const remove = () =>
  callGateway(`${stack.run().gatewayUrl}/v1/chat/objects/Message/m1`, { key: stack.demoKey(), method: 'DELETE' });

test('the neighbours of a type are a picture, and a list that the keyboard and a phone reach', async () => {
  await page.goto('/types/Conversation?tab=relations');
  const list = page.getByRole('table', { name: 'Edge types of Conversation' });
  await list.getByText('members', { exact: true }).first().waitFor();
  const picture = page.locator('main svg text');
  expect(await picture.allTextContents()).toEqual(expect.arrayContaining(['members', 'memberOf', 'User', 'Message']));
  await list.getByRole('link').first().focus();
  await page.keyboard.press('j');
  const name = await focused();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === `/types/${name}`);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/types/Conversation?tab=relations');
  await list.getByText('members', { exact: true }).first().waitFor();
  expect(await picture.first().isVisible()).toBe(false);
  await page.setViewportSize({ width: 1_280, height: 900 });
});

test('a test of a policy is written as a sentence and run against the draft, with the policy that decided', async () => {
  await startChange(page, 'policy', 'Close deletions');
  const dialog = page.getByRole('dialog', { name: 'Add an edit' });
  await dialog.getByLabel('Name').fill('no-deletes');
  await dialog.getByRole('button', { name: 'Add policy' }).click();
  await page.getByLabel('What it says').fill('Nobody deletes messages.');
  await page
    .getByLabel('Cedar', { exact: true })
    .fill('forbid (principal, action == Action::"object.delete", resource == ObjectType::"Message");');
  await page.getByText('Saved', { exact: true }).waitFor();
  const comment = page.getByRole('button', { name: 'Comment on What it says' });
  await comment.focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-path="description"]').getByRole('button', { name: 'Cancel' }).click();
  expect(await focused()).toBe('Comment on What it says');

  await page.getByRole('button', { name: 'Add a test' }).click();
  await page.getByLabel('Principal', { exact: true }).fill('chat-api');
  await page.getByLabel('What', { exact: true }).selectOption('delete');
  await page.getByLabel('Type', { exact: true }).last().fill('Message');
  await page.getByRole('button', { name: 'Add test' }).click();
  const tests = page.getByRole('list', { name: 'Tests of this policy' });
  await tests.getByText('Fails').waitFor();
  await tests.getByText('It is denied, by no-deletes.').waitFor();
  await page
    .getByRole('complementary', { name: /findings/i })
    .getByText('policy_test_failed')
    .waitFor();
  await tests.getByRole('button', { name: /^Remove/ }).click();
  await tests.waitFor({ state: 'detached' });

  await page.getByLabel('Expected').selectOption('deny');
  await page.getByLabel('Type', { exact: true }).last().fill('Message');
  await page.getByRole('button', { name: 'Add test' }).click();
  await tests.getByText('Passes').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  expect(await focused()).toBe('Add a test');
  await sendToReview(page);
  await approveAndPublish(page, 'Sam Lee');
  await page
    .getByRole('complementary', { name: /findings/i })
    .getByText(/^As published/)
    .waitFor();
});

test('a refused request is made into a test that is kept with the policy that refused it', async () => {
  await until(async () => (await remove()).code === 'forbidden', { what: 'forbidden' });
  const { error } = JSON.parse((await remove()).text) as { error: { help: string } };
  const { pathname } = new URL(error.help);
  await until(async () => (await page.request.get(`/api${pathname}`)).ok(), { what: 'the record of the request' });
  await actAs(page, 'Ana Ruiz');
  await page.goto(pathname);
  await page.getByRole('button', { name: 'Make a test of this' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a test of this request' });
  expect(await dialog.getByLabel('Kept with policy').inputValue()).toBe('no-deletes');
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByLabel('Allowed; it should not have been denied').check();
  await dialog.getByRole('button', { name: 'Add test' }).click();
  await page.waitForURL(/\/changes\/\d+\?edit=policy/);
  const tests = page.getByRole('list', { name: 'Tests of this policy' });
  await tests.getByText('Passes').waitFor();
  await tests.getByText('Fails').waitFor();
  await page.goto('/policies/no-deletes?tab=tests');
  await page.getByRole('list', { name: 'Tests of no-deletes' }).getByText('Passes').waitFor();
});

test('the team whose rules are shown is in the link', async () => {
  await page.goto('/settings?tab=rules');
  await page.getByLabel('Team', { exact: true }).selectOption('platform');
  await page.waitForURL(/team=platform/);
  await page.reload();
  expect(await page.getByLabel('Team', { exact: true }).inputValue()).toBe('platform');
});

/** Every question that opens over a page of the registry: whose, where, and the button that asks it. */
const QUESTIONS: readonly { readonly as: string; readonly path: string; readonly button: RegExp }[] = [
  { as: 'Ada Moss', path: '/settings?tab=rules', button: /^Set / },
  { as: 'Ada Moss', path: '/settings?tab=tokens', button: /token$/ },
  { as: 'Olga Ek', path: '/releases', button: /^Freeze publishing/ },
  { as: 'Olga Ek', path: '/releases', button: /^How releases go out/ },
  { as: 'Olga Ek', path: '/releases/2', button: /^Roll back/ },
  { as: 'Olga Ek', path: '/tenants/chat', button: /^Lower quota/ },
  { as: 'Olga Ek', path: '/principals/chat-api', button: /^Disable/ },
  { as: 'Olga Ek', path: '/principals/chat-api', button: /^Revoke key/ },
  { as: 'Sam Lee', path: '/policies/team-owns-type', button: /^Switch off/ },
  { as: 'Ana Ruiz', path: '/changes/new?add=edgeType', button: /^Start the change/ },
];

test.each(['light', 'dark'] as const)(
  'every question over a page of the registry satisfies axe and gives the focus back, in the %s theme',
  async (theme: Theme) => {
    const faults: string[] = [];
    for (const [as, questions] of Map.groupBy(QUESTIONS, (question) => question.as)) {
      const person = await visit(browser, stack.run().consoleUrl, { as, theme });
      person.context.setDefaultTimeout(30_000);
      for (const { path, button } of questions) faults.push(...(await faultsOf(person.page, path, button)));
      expect(person.complaints()).toEqual([]);
      await person.context.close();
    }
    expect(faults).toEqual([]);
  },
);

async function faultsOf(on: Page, path: string, button: RegExp): Promise<readonly string[]> {
  await on.goto(path);
  await settled(on);
  if (path.startsWith('/changes/new')) await on.getByLabel('Title').fill('To ask for an edit');
  const asks = on.getByRole('main').getByRole('button', { name: button }).first();
  await until(async () => (await asks.getAttribute('aria-disabled')) === null, { what: `${path} ${button}` });
  await asks.focus();
  await on.keyboard.press('Enter');
  await on.getByRole('dialog').waitFor();
  const faults = (await seriousFaults(on)).map((fault) => `${path} ${button}: ${fault}`);
  const isInside = await on.evaluate(() => document.activeElement?.closest('dialog') !== null);
  if (!isInside) faults.push(`${path} ${button}: the focus is not in the question`);
  await on.keyboard.press('Escape');
  await on.getByRole('dialog').waitFor({ state: 'detached' });
  const isBack =
    path.startsWith('/changes/new') || (await asks.evaluate((element) => element === document.activeElement));
  if (!isBack) faults.push(`${path} ${button}: the focus did not come back`);
  return faults;
}

test('more neighbours than one page holds are turned to and back, and a name finds one of them', async () => {
  await actAs(page, 'Ana Ruiz');
  await page.goto('/types/User');
  const released = await (await page.request.get('/api/definitions/export')).json();
  const document = {
    ownerTeam: 'chat',
    description: 'One of many.',
    from: 'User',
    to: 'Message',
    cardinality: 'many',
    listCap: 100,
    maxEdges: 1_000,
    dataMaxBytes: 0,
    audit: { reads: 'none', writes: 'none' },
  };
  const edits = Array.from({ length: 60 }, (_, at) => ({ kind: 'edgeType', name: `many${at + 100}`, document }));
  const applied = await page.request.post('/api/definitions/apply', {
    headers: { 'x-habitat-csrf': '1', origin: new URL(page.url()).origin },
    data: { source: 'many', release: released.release, title: 'Many edge types', edits, unchanged: [] },
  });
  const { change } = (await applied.json()) as { change: { number: number } };
  await page.goto(`/changes/${change.number}`);
  await page.getByRole('button', { name: 'Send to review' }).click();
  await approveAndPublish(page, 'Bo Lind');

  await page.goto('/types/User?tab=relations');
  const list = page.getByRole('table', { name: 'Edge types of User' });
  const pages = page.getByRole('navigation', { name: /^Pages of/ });
  await list.getByText('many100', { exact: true }).waitFor();
  expect(await list.getByText('many159', { exact: true }).count()).toBe(0);
  await pages.getByRole('link').last().click();
  await list.getByText('many159', { exact: true }).waitFor();
  await page.goBack();
  await list.getByText('many100', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: /Filter/ }).fill('many159');
  await page.keyboard.press('Enter');
  await list.getByText('many159', { exact: true }).waitFor();
  await list.getByText('many100', { exact: true }).waitFor({ state: 'detached' });
});

test('the console logged no error on the whole way', () => {
  expect(visitor.complaints()).toEqual([]);
});

test('Enter in the palette opens the first thing of the name that was typed', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  await page.goto('/');
  await settled(page);
  for (const [typed, path] of [
    ['Conversation', '/types/Conversation'],
    ['chat-api', '/principals/chat-api'],
    ['Latency', '/latency'],
  ] as const) {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill(typed);
    await palette.locator('[cmdk-item][data-selected="true"]').filter({ hasText: typed }).waitFor();
    expect(await palette.getByText('Nothing has this name.').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`${path}(?:$|[/?])`));
  }
  await context.close();
});
