/**
 * A fault goes out in stages, is halted and rolled back by an operator, and a later publish does not bring it back; then
 * publishing is frozen, and a principal is cut off all the same. Two real gateways.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { actAs, launchBrowser, visit } from './browser.ts';
import { approveAndPublish, sendToReview, startChange, state } from './change-acts.ts';
import { type SecondGateway, startSecondGateway } from './second-gateway.ts';
import { callGateway, type Stack, startStack, until } from './stack.ts';

let stack: Stack;
let second: SecondGateway;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await startStack();
  second = await startSecondGateway(stack, 'gw-b');
  browser = await launchBrowser();
  const visitor = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  page = visitor.page;
  // Two gateways and a browser on one machine: what is slow here is the machine.
  visitor.context.setDefaultTimeout(45_000);
});
afterAll(async () => {
  await browser?.close();
  await second?.stop();
  await stack?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page.screenshot({ path: `shots/failed-${task.name.slice(0, 40)}.png`, fullPage: true });
});

/** What each gateway says to a read of a type: `unknown_type` where it does not serve it yet. */
const codes = async (type: string) => {
  const urls = [stack.run().gatewayUrl, second.url];
  const replies = urls.map((url) => callGateway(`${url}/v1/chat/objects/${type}/none`, { key: stack.demoKey() }));
  return (await Promise.all(replies)).map(({ code }) => code);
};
const bothSay = (type: string, code: string) =>
  until(async () => (await codes(type)).every((said) => said === code), { what: `both gateways to say ${code}` });

let who = 'Ana Ruiz';
async function become(name: string): Promise<void> {
  if (name !== who) await actAs(page, name);
  who = name;
}

/** Drafts a new type as Ana and takes it to a release as Bo; ends when the change says `until`. */
async function publishType(name: string, until: string): Promise<void> {
  await become('Ana Ruiz');
  await startChange(page, 'objectType', `Add ${name}`);
  const dialog = page.getByRole('dialog', { name: 'Add an edit' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Add object type' }).click();
  await page.getByLabel('Purpose').fill('For a journey of releases.');
  await sendToReview(page);
  await become('Bo Lind');
  await approveAndPublish(page, '', { until });
}

test('a publish goes to one of two gateways first, and the release page says so', async () => {
  await publishType('Fault', 'Rolling out');
  await page.goto('/releases/2');
  await page
    .getByText(/Stage 1 of 2\. Live on 1 of 2: 1 waits for its stage\./)
    .first()
    .waitFor();
  await until(async () => (await codes('Fault')).includes('object_not_found'), { what: 'one gateway to serve it' });
  expect((await codes('Fault')).toSorted()).toEqual(['object_not_found', 'unknown_type']);
  const halt = page.getByRole('button', { name: 'Halt' });
  expect(await halt.getAttribute('aria-disabled')).toBe('true');
});

test('an operator halts it and rolls it back; both gateways leave it, its author has a draft again', async () => {
  await become('Olga Ek');
  await page.getByRole('button', { name: 'Halt' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('The app breaks.');
  await page.getByRole('dialog').getByRole('button', { name: 'Halt rollout' }).click();
  await page
    .getByText(/Halted at stage 1 of 2/)
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Roll back…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Undoes r2/).waitFor();
  await dialog.getByLabel('Reason').fill('The app breaks.');
  await dialog.getByRole('button', { name: 'Undo r2' }).click();
  await page.waitForURL('**/releases/3');
  await page
    .getByText(/Live on 2 of 2\./)
    .first()
    .waitFor();
  await bothSay('Fault', 'unknown_type');

  await become('Ana Ruiz');
  await page.goto('/changes/1');
  await page.getByText('Undone', { exact: true }).first().waitFor();
  await page.goto('/changes');
  await page
    .getByRole('link', { name: /Again: Add Fault/ })
    .first()
    .waitFor();
});

test('a third publish does not bring the fault back', async () => {
  await publishType('Third', 'Rolling out');
  await become('Olga Ek');
  await page.goto('/releases/4');
  await page
    .getByText(/Live on 1 of 2/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Open stage 2' }).click();
  await page
    .getByText(/Live on 2 of 2\./)
    .first()
    .waitFor();
  await bothSay('Third', 'object_not_found');
  await bothSay('Fault', 'unknown_type');
  // Another release ends no rollback: whoever has not read of it is still told.
  const told = page.getByText(/Rolled back by Olga Ek .* Fault is as it left it\./);
  await told.waitFor();
  await page.getByRole('button', { name: 'Mark the rollback r3 as read' }).click();
  await told.waitFor({ state: 'detached' });
  await become('Bo Lind');
  await told.waitFor();
  await become('Olga Ek');
});

test('frozen, nothing is published and every page says who and why; what only takes away still passes', async () => {
  await page.goto('/releases');
  await page.getByRole('button', { name: 'Freeze publishing' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Incident 4711.');
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze publishing' }).click();
  await page.getByText(/Publishing is frozen by Olga Ek/).waitFor();

  await publishType('Cold', 'Approved').catch(() => undefined);
  await page
    .getByRole('dialog')
    .getByText(/Publishing is frozen by Olga Ek: Incident 4711\./)
    .waitFor();
  await page.keyboard.press('Escape');
  await state(page, 'Approved').waitFor();

  await become('Olga Ek');
  await page.goto('/principals/chat-api');
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('It floods us.');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByText('Disabled', { exact: true }).first().waitFor();
  await bothSay('Message', 'unauthenticated');

  await page.goto('/releases');
  await page.getByRole('button', { name: 'Unfreeze publishing' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Over.');
  await page.getByRole('dialog').getByRole('button', { name: 'Unfreeze publishing' }).click();
  await page.getByText(/Publishing is frozen/).waitFor({ state: 'detached' });
});
