/**
 * The verdict of a change in a real browser over real traffic: five faults on one card, each with its sample; a remark on a
 * field; publish when approved; a type on its way out, refused, removed and restored.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { actAs, launchBrowser, type Visitor, visit } from './browser.ts';
import { state } from './change-acts.ts';
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

const url = (path: string) => `${stack.run().gatewayUrl}/v1/chat/objects/${path}`;
const call = (path: string, method = 'GET', body?: string) =>
  callGateway(url(path), { key: stack.demoKey(), method, ...(body === undefined ? {} : { body }) });

/** One request to the console's API as whoever is signed in. */
async function api(method: string, path: string, data: unknown = {}): Promise<Record<string, unknown>> {
  const headers = { 'x-habitat-csrf': '1', origin: stack.run().consoleUrl };
  const reply = await page.request.fetch(path, { method, headers, ...(method === 'GET' ? {} : { data }) });
  if (!reply.ok()) throw new Error(`${method} ${path}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}
const open = async (title: string) => (await api('POST', '/api/changes', { title })).number as number;
const save = (number: number, place: string, document: unknown) =>
  api('PUT', `/api/changes/${number}/edits/${place}`, { document, version: 0 });
const published = async (place: string) =>
  ((await api('GET', `/api/definitions/${place}`)).definition as { document: Record<string, unknown> }).document;
const card = () => page.getByRole('complementary', { name: 'Findings' });
const part = (name: string) =>
  card().getByRole('list', { name: 'Parts of the verdict' }).locator(':scope > li').filter({ hasText: name }).first();

/** Reviews as whoever is signed in, ticking every warning. */
async function approve(): Promise<void> {
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Approve/ }).waitFor();
  for (const box of await dialog.getByRole('checkbox').all()) await box.check();
  await dialog.getByRole('button', { name: /^Approve/ }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function submit(number: number): Promise<void> {
  await page.goto(`/changes/${number}`);
  await page.getByRole('button', { name: 'Send to review' }).click();
}

test('five faults of one change stand on one card, each in its part with a sample to look at', async () => {
  for (const n of [1, 2, 3]) {
    await call(`Message/m${n}`, 'PUT', 'hello');
    await call(`Message/m${n}`);
    await call(`Conversation/c1/edges/messages/m${n}`, 'PUT', '{}');
  }
  await until(
    async () => {
      const { items } = await api('GET', '/api/definitions?kind=type&q=messages');
      const rows = items as { name: string; use: { lastUsedMs: number | null } }[];
      return rows.find(({ name }) => name === 'messages')?.use.lastUsedMs != null;
    },
    { what: 'the use of messages to reach the console' },
  );
  const number = await open('Five faults');
  await save(number, 'edgeType/messages', { ...(await published('edgeType/messages')), maxEdges: 2 });
  await save(number, 'objectType/Conversation', {
    ...(await published('objectType/Conversation')),
    maxBytes: 1_000_000,
  });
  await save(number, 'objectType/User', { ...(await published('objectType/User')), ownerTeam: 'ghosts' });
  await save(number, 'policy/no-reads', {
    ownerTeam: 'chat',
    description: 'Nobody reads messages.',
    cedar: 'forbid (principal, action == Action::"object.read", resource == ObjectType::"Message");',
  });
  await page.setViewportSize({ width: 1_500, height: 1_000 });
  await page.goto(`/changes/${number}`);
  await part('Live data')
    .getByText(/[123] edges? of messages|up to \d+ written since/)
    .waitFor();
  await part('Live data').getByRole('link', { name: 'See the request' }).waitFor();
  await part('Compatibility').getByText('max_edges_narrowed').waitFor();
  await part('Traffic')
    .getByText(/chat-api of tenant chat loses object\.read of Message/)
    .waitFor();
  await part('Cost').getByText('cost_raised').waitFor();
  await part('Cost')
    .getByText(/^Estimated/)
    .first()
    .waitFor();
  await part('Owners').getByText('There is no team ghosts.').waitFor();
  await page.screenshot({ path: 'shots/verdict-light.png', fullPage: true });

  await part('Compatibility')
    .getByRole('button', { name: /messages · maxEdges/ })
    .click();
  await until(async () => (await page.locator(':focus').getAttribute('type')) === 'number', { what: 'the field' });
  const request = part('Traffic').getByRole('link', { name: 'See the request' }).first();
  await request.click();
  await page.waitForURL(/\/requests\/\w+/);
});

test('a remark on a field reaches the inbox of the author, and leaves it when it is resolved', async () => {
  const number = await open('Larger users');
  await save(number, 'objectType/User', { ...(await published('objectType/User')), maxBytes: 20_000 });
  await actAs(page, 'Bo Lind');
  await page.goto(`/changes/${number}?edit=objectType%2FUser&tab=form`);
  const purpose = page.locator('[data-path="description"]');
  await purpose.hover();
  await purpose.getByRole('button', { name: 'Comment on Purpose' }).click();
  await page.keyboard.type('@Sam Lee, is that right?');
  // Whoever goes on while the remark is on its way keeps what they opened meanwhile.
  const gate = Promise.withResolvers<void>();
  await page.route('**/api/changes/*/comments', async (route) => {
    const response = await route.fetch();
    await gate.promise;
    await route.fulfill({ response });
  });
  await purpose.getByRole('button', { name: 'Comment', exact: true }).click();
  await page
    .getByRole('button', { name: /^Account:/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /Ana Ruiz/ }).waitFor();
  gate.resolve();
  await purpose.getByRole('button', { name: 'Reply on Purpose' }).waitFor();
  await page.unroute('**/api/changes/*/comments');
  await page.getByRole('menuitem', { name: /Ana Ruiz/ }).waitFor();
  await page.keyboard.press('Escape');
  await actAs(page, 'Ana Ruiz');
  await page.goto('/inbox');
  await page
    .getByRole('main')
    .getByText(/Bo Lind on User\.description/)
    .first()
    .click();
  await page.waitForURL(/edit=objectType/);
  await page.getByRole('button', { name: 'Resolve the remarks on Purpose' }).click();
  await page.getByText('One remark resolved').waitFor();
  const { items } = await api('GET', '/api/inbox');
  expect((items as { text: string }[]).filter(({ text }) => text.includes('User.description'))).toEqual([]);
});

test('publish when approved: the approving act makes the release', async () => {
  const number = await open('Add drafts');
  await save(number, 'objectType/Draft', { ...(await published('objectType/Message')), description: 'A draft.' });
  await page.goto(`/changes/${number}`);
  await page.getByLabel('Publish when approved').check();
  await until(async () => (await api('GET', `/api/changes/${number}`)).publishWhenApproved === true, {
    what: 'the box',
  });
  await submit(number);
  await state(page, 'In review').waitFor();
  await actAs(page, 'Bo Lind');
  await approve();
  await state(page, 'Live').waitFor();
  await actAs(page, 'Ana Ruiz');
});

/** Takes one edit of a type to a live release: Ana writes it, Bo approves and it is published. */
async function publishEdit(title: string, document: unknown): Promise<void> {
  const number = await open(title);
  await save(number, 'objectType/Draft', document);
  await api('PUT', `/api/changes/${number}/publish-when-approved`, { publishWhenApproved: true });
  await submit(number);
  await actAs(page, 'Bo Lind');
  await approve();
  await state(page, 'Live').waitFor();
  await actAs(page, 'Ana Ruiz');
}

test('an approval outlives what a neighbour publishes, and not an edit of what was approved', async () => {
  const number = await open('Longer names');
  await save(number, 'objectType/User', { ...(await published('objectType/User')), maxBytes: 20_001 });
  await submit(number);
  await actAs(page, 'Bo Lind');
  await approve();
  await state(page, 'Approved').waitFor();
  await actAs(page, 'Ana Ruiz');
  await publishEdit('A neighbour', { ...(await published('objectType/Draft')), description: 'A neighbour.' });
  await page.goto(`/changes/${number}?edit=objectType%2FUser&tab=form`);
  await state(page, 'Approved').waitFor();
  await page.getByLabel('Purpose').fill('A person, after the approval.');
  await page.getByText('Saved', { exact: true }).waitFor();
  await state(page, 'In review').waitFor();
  await page.goto(`/changes/${number}`);
  await page.getByText('Approved, voided by a later edit').waitFor();
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
  await actAs(page, 'Bo Lind');
  await page.goto(`/changes/${number}`);
  await approve();
  await state(page, 'Approved').waitFor();
  await actAs(page, 'Ana Ruiz');
});

test('a type is deprecated, refused, removed against its last caller, and restored with its history', async () => {
  const document = await published('objectType/Draft');
  const lifecycle = { since: '2026-01-05', replacement: 'Use Message.' };
  await publishEdit('Deprecate Draft', { ...document, lifecycle: { state: 'deprecated-warn', ...lifecycle } });
  const warned = await call('Draft/d1', 'PUT', 'x');
  expect([warned.status, warned.headers.get('habitat-deprecated')]).toEqual([
    201,
    'Draft; since=2026-01-05; replacement="Use Message."',
  ]);
  await publishEdit('Refuse Draft', { ...document, lifecycle: { state: 'deprecated-error', ...lifecycle } });
  expect((await call('Draft/d1')).code).toBe('type_deprecated');
  await page.goto('/types/Draft');
  await page.getByText('every request is refused.').waitFor();
  const callerStands = async () => {
    await page.reload();
    return page
      .getByText(/in 30 days: chat-api/)
      .waitFor({ timeout: 3_000 })
      .then(
        () => true,
        () => false,
      );
  };
  await until(callerStands, { what: 'its last caller on the page of the type' });

  const number = await open('Remove Draft');
  await save(number, 'objectType/Draft', null);
  await page.goto(`/changes/${number}`);
  await part('Traffic').getByText('type_in_use').waitFor();
  await actAs(page, 'Ada Moss');
  await part('Traffic').getByRole('button', { name: 'Override' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Its caller is switched off.');
  await dialog.getByRole('button', { name: 'Override' }).click();
  await part('Traffic')
    .getByText(/Ada Moss overrode it/)
    .waitFor();
  await actAs(page, 'Ana Ruiz');
  await api('PUT', `/api/changes/${number}/publish-when-approved`, { publishWhenApproved: true });
  await submit(number);
  await actAs(page, 'Bo Lind');
  await approve();
  await state(page, 'Live').waitFor();
  expect((await call('Draft/d1')).code).toBe('unknown_type');

  await actAs(page, 'Ana Ruiz');
  await page.goto('/types?filter=state%3Aremoved');
  await page.getByRole('table').getByText('Draft', { exact: true }).click();
  await page.goto('/types/Draft');
  await page.getByRole('button', { name: 'Restore in a change' }).click();
  await page.waitForURL(/\/changes\/\d+/);
  await part('Compatibility').getByText('restored').waitFor();
});

test('the console logged no error on the whole way', () => {
  expect(visitor.complaints()).toEqual([]);
});
