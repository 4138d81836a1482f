/** Each link of the way is cut for real, and the pages say so; then it is mended, and they say that too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visit } from './browser.ts';
import { approveAndPublish, sendToReview, startChange } from './change-acts.ts';
import { callGateway, type Stack, startStack, until } from './stack.ts';

let stack: Stack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  ({ page } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
});

const rail = () => page.getByRole('banner').getByRole('link', { name: /Target release/ });
const read = () => callGateway(`${stack.run().gatewayUrl}/v1/chat/objects/Message/none`, { key: stack.demoKey() });
const served = async () => (await read()).headers.get('habitat-release');

async function withDatabase(act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const stored = (file: string) => readFileSync(join(stack.home, 'postgres', file), 'utf8').trim();
  const login = { user: 'habitat', password: stored('password'), database: 'habitat' };
  const client = new pg.Client({ ...login, host: '127.0.0.1', port: Number(stored('port')) });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

async function addType(name: string): Promise<void> {
  await startChange(page, 'objectType', `Add ${name}`);
  const dialog = page.getByRole('dialog', { name: 'Add an edit' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Add object type' }).click();
  await page.getByLabel('Purpose').fill('For cutting a link.');
  await sendToReview(page);
}

/** Flips a byte of the section that a release adds, as it is stored. */
const DAMAGE = `
  CREATE FUNCTION flip() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.content := set_byte(NEW.content, 10, 255 - get_byte(NEW.content, 10)); RETURN NEW; END $$;
  CREATE TRIGGER flip BEFORE INSERT ON release_section FOR EACH ROW WHEN (NEW.kind = 'objectType') EXECUTE FUNCTION flip();`;
const MEND = `
  DROP TRIGGER flip ON release_section;
  UPDATE release_section SET content = set_byte(content, 10, 255 - get_byte(content, 10))
    WHERE encode(sha256(content), 'hex') <> sha256;`;

test('a release whose bytes are damaged is shown as Rejected with the reason, and the old one keeps serving', async () => {
  await withDatabase((client) => client.query(DAMAGE));
  await addType('Damaged');
  await approveAndPublish(page, 'Bo Lind', { until: 'Rolling out' });
  await page.goto('/releases/2');
  const answers = page.getByRole('table', { name: /answers to r2/ });
  await answers.getByText('Rejected').waitFor();
  await answers.getByText(/hash/i).waitFor();
  await rail()
    .getByText(/1 of 1 rejected/)
    .waitFor();
  expect(await served()).toBe('r1');
});

test('the mended release is tried again by itself and goes live', async () => {
  await withDatabase((client) => client.query(MEND));
  await rail().getByText('1 of 1 live').waitFor({ timeout: 60_000 });
  expect(await served()).toBe('r2');
});

test('with the console and Postgres stopped the gateway serves, and both catch up afterwards', async () => {
  const { console: consolePid, postgres } = stack.run().pids;
  if (consolePid === undefined || postgres === undefined) throw new Error('no process ids');
  process.kill(consolePid, 'SIGSTOP');
  process.kill(postgres, 'SIGSTOP');
  try {
    const key = stack.demoKey();
    const url = `${stack.run().gatewayUrl}/v1/chat/objects/Message/while-away`;
    expect((await callGateway(url, { key, method: 'PUT', body: 'written without the console' })).status).toBe(201);
    expect((await callGateway(url, { key })).text).toBe('written without the console');
  } finally {
    process.kill(postgres, 'SIGCONT');
    process.kill(consolePid, 'SIGCONT');
  }
  await page.goto('/audit?tab=writes');
  await page
    .getByRole('table')
    .getByText(/while-away/)
    .first()
    .waitFor({ timeout: 60_000 });
});

test('a gateway that stops answering is silent within half a minute, nothing says live, and it comes back', async () => {
  const { gateway } = stack.run().pids;
  if (gateway === undefined) throw new Error('no process id');
  await page.goto('/releases/2');
  process.kill(gateway, 'SIGSTOP');
  try {
    await rail().getByText('1 of 1 silent').waitFor({ timeout: 60_000 });
    await page
      .getByRole('table', { name: /answers to r2/ })
      .getByText('Silent')
      .waitFor();
    expect(
      await page
        .getByRole('table', { name: /answers to r2/ })
        .getByText('Live', { exact: true })
        .count(),
    ).toBe(0);
    expect(
      await page
        .getByRole('banner')
        .getByText(/\d of \d live/)
        .count(),
    ).toBe(0);
  } finally {
    process.kill(gateway, 'SIGCONT');
  }
  await rail().getByText('1 of 1 live').waitFor({ timeout: 60_000 });
});

test('two people who change one field both see the comparison, and a reload overwrites nothing', async () => {
  await startChange(page, 'objectType', 'Two people');
  const dialog = page.getByRole('dialog', { name: 'Add an edit' });
  await dialog.getByLabel('Name').fill('Shared');
  await dialog.getByRole('button', { name: 'Add object type' }).click();
  await page.getByLabel('Purpose').fill('first words');
  await page.getByText('Saved', { exact: true }).waitFor();
  const other = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  await other.page.goto(page.url());
  await other.page.getByLabel('Purpose').waitFor();
  await other.context.setOffline(true);
  await other.page.getByLabel('Purpose').fill('words of the second');
  await page.getByLabel('Purpose').fill('words of the first');
  await page.getByText('Saved', { exact: true }).waitFor();
  await until(
    async () =>
      (await page.request.get(page.url().replace(/\/changes\/(\d+).*/, '/api/changes/$1')))
        .text()
        .then((text) => text.includes('words of the first')),
    { what: 'the first save' },
  );
  await other.context.setOffline(false);
  await other.page.getByText(/Nothing was\s+overwritten/).waitFor({ timeout: 30_000 });
  await other.page.reload();
  await other.page.getByText(/Nothing was\s+overwritten/).waitFor();
  await other.page.getByText('words of the second').first().waitFor();
  await page.reload();
  expect(await page.getByLabel('Purpose').inputValue()).toBe('words of the first');
  await other.context.close();
});
