import { execFileSync } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { actAs, visit } from './browser.ts';
import type { Stack } from './stack.ts';

/** The step at which the open change stands. */
export const state = (page: Page, name: string) =>
  page.getByRole('list', { name: 'State of the change' }).locator('[aria-current=step]', { hasText: name });

/** Starts a change with a title and reason; ends in the dialog that adds its first edit. */
export async function startChange(page: Page, kind: string, title: string): Promise<void> {
  await page.goto(`/changes/new?add=${kind}`);
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Reason').fill('users asked for it');
  await page.getByRole('button', { name: 'Start the change' }).click();
  await page.getByRole('dialog', { name: 'Add an edit' }).waitFor();
}

export async function sendToReview(page: Page): Promise<void> {
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send to review' }).click();
  await state(page, 'In review').waitFor();
}

/** The reviewer ticks every warning, approves and publishes; ends when the page shows the change live by itself. */
export async function approveAndPublish(
  page: Page,
  reviewer: string,
  options: { readonly comment?: string; readonly until?: string } = {},
): Promise<void> {
  if (reviewer !== '') await actAs(page, reviewer);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const review = page.getByRole('dialog');
  await review.getByRole('button', { name: /^Approve/ }).waitFor();
  for (const box of await review.getByRole('checkbox').all()) await box.check();
  if (options.comment) await review.getByLabel(/Reason|Comment/).fill(options.comment);
  await review.getByRole('button', { name: /^Approve/ }).click();
  await state(page, 'Approved').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await state(page, options.until ?? 'Live').waitFor();
}

/** The text of the snippet whose title begins so, as the Copy button takes it. */
export async function snippet(page: Page, title: string): Promise<string> {
  const text = await page.getByRole('region', { name: title }).first().textContent();
  if (text === null) throw new Error(`No snippet ${title}.`);
  return text;
}

export async function choose(page: Page, label: string, value: string): Promise<void> {
  const control = page.getByLabel(label, { exact: true });
  if ((await control.evaluate((element) => element.tagName)) === 'SELECT') await control.selectOption({ value });
  else {
    await control.fill(value);
    await control.press('Enter');
  }
}

/** Sets the review mode of team chat as the admin who is signed in. */
export async function setReviewMode(page: Page, mode: string): Promise<void> {
  const reply = await page.request.put('/api/settings/teams/chat/review-mode', {
    headers: { 'x-habitat-csrf': '1', origin: new URL(page.url()).origin },
    data: { reviewMode: mode, reason: 'a team of one' },
  });
  if (!reply.ok()) throw new Error(`The review mode was not set: ${await reply.text()}`);
}

/** A draft with one incomplete edit, so that pages of changes have something to show. */
export async function draftChange(page: Page): Promise<void> {
  const headers = { 'x-habitat-csrf': '1', origin: new URL(page.url()).origin };
  const started = await page.request.post('/api/changes', {
    headers,
    data: { title: 'Add drafts', reason: 'for looking at' },
  });
  const { number } = (await started.json()) as { number: number };
  const document = {
    ownerTeam: 'chat',
    classification: 'internal',
    maxBytes: 1_000,
    audit: { reads: 'none', writes: 'all' },
  };
  const path = `/api/changes/${number}/edits/objectType/Draft`;
  const saved = await page.request.put(path, { headers, data: { document, version: 0 } });
  if (!saved.ok()) throw new Error(`The draft was not saved: ${await saved.text()}`);
}

/** A change and some traffic, so that every page has something to show. */
export async function fillPages(stack: Stack, browser: Browser): Promise<void> {
  const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
  await draftChange(page);
  await context.close();
  const env = { ...process.env, HABITAT_HOME: stack.home };
  execFileSync(process.execPath, ['test/traffic/main.ts', '--seconds', '5', '--rate', '50'], { env, stdio: 'ignore' });
}
