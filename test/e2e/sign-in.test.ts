import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visit } from './browser.ts';
import { freePort, startIdentityProvider } from './identity-provider.ts';
import { type Stack, startStack } from './stack.ts';

const ACCOUNTS = {
  nobody: { name: 'Nora Body', groups: ['people'] },
  root: { name: 'Rolf Oot', groups: ['habitat-admins'] },
};

let browser: Browser;
let stack: Stack;
let closeProvider: () => Promise<unknown>;

beforeAll(async () => {
  const port = await freePort();
  const provider = await startIdentityProvider(`http://127.0.0.1:${port}`, ACCOUNTS);
  closeProvider = provider.close;
  stack = await startStack({
    env: { ...provider.env, CONSOLE_PORT: String(port), HABITAT_ADMIN_GROUP: 'habitat-admins' },
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
  await closeProvider?.();
});

async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(
    (url) => url.port === new URL(stack.run().consoleUrl).port && !url.pathname.startsWith('/api/auth'),
  );
}

test('with a provider configured no demo user is offered, on the page or by a forged request', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl);
  await page.goto('/');
  await page.getByRole('button', { name: /sign in/i }).waitFor();
  expect(await page.getByText('Ana Ruiz').count()).toBe(0);
  const { csrfToken } = (await (await page.request.get('/api/auth/csrf')).json()) as { csrfToken: string };
  await page.request.post('/api/auth/callback/demo', { form: { csrfToken, userId: 'ana' } });
  expect((await page.request.get('/api/me')).status()).toBe(401);
  await context.close();
});

test('the first comer without a mapped group becomes nobody, and the page names the two ways in', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl);
  await signInAtProvider(page, 'nobody');
  const words = page.getByRole('main');
  await words
    .getByText(/HABITAT_ADMIN_GROUP/)
    .first()
    .waitFor();
  expect((await page.request.get('/api/latency/chat')).status()).toBe(403);
  const headers = { 'x-habitat-csrf': '1', origin: stack.run().consoleUrl };
  const change = await page.request.post('/api/changes', { headers, data: { title: 'Let me in' } });
  expect(change.status()).toBe(403);
  await context.close();
});

test('a member of the admin group is admin, by the group alone', async () => {
  const { page, context } = await visit(browser, stack.run().consoleUrl);
  await signInAtProvider(page, 'root');
  await page.getByRole('navigation').first().waitFor();
  const me = (await (await page.request.get('/api/me')).json()) as { name: string; roles: string[] };
  expect(me).toMatchObject({ name: 'Rolf Oot', roles: ['admin'] });
  await context.close();
});
