/**
 * Definitions as code against the real processes: a token made by hand, files exported, checked, applied, approved by a
 * person, published, used by the typed client, and carried into another installation.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actAs, launchBrowser, visit } from './browser.ts';
import { state } from './change-acts.ts';
import { type Stack, startStack } from './stack.ts';

const COMMAND = resolve('server/cli/habitat.cjs');
const folder = mkdtempSync(join(tmpdir(), 'habitat-as-code-'));
let stack: Stack;
let browser: Browser;
let page: Page;
let secret: string;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  ({ page } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** The command as a shell runs it, in a folder and a home of its own. */
async function habitat(line: string, stdin = '', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [COMMAND, ...line.split(' ')], {
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH ?? '',
      HOME: folder,
      HABITAT_SOURCE: 'git.example/chat',
      ...env,
    },
  });
  child.stdin.end(stdin);
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exit: await closed, out, err };
}

async function makeToken(name: string, scopes: readonly string[]): Promise<string> {
  await page.goto('/settings?tab=tokens');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Where it is used').fill(name);
  for (const scope of scopes) await dialog.getByLabel(scope, { exact: true }).check();
  await dialog.getByRole('button', { name: 'Make the token' }).click();
  const made = await page.getByRole('region', { name }).locator('code').first().textContent();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  return made ?? '';
}

async function approve(number: number): Promise<void> {
  await actAs(page, 'Bo Lind');
  await page.goto(`/changes/${number}`);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const review = page.getByRole('dialog');
  await review.getByRole('button', { name: /^Approve/ }).waitFor();
  for (const box of await review.getByRole('checkbox').all()) await box.check();
  await review.getByRole('button', { name: /^Approve/ }).click();
  await state(page, 'Approved').waitFor();
}

const reaction = (maxBytes: number) => `kind: objectType
name: Reaction
document:
  ownerTeam: chat
  description: What a person thinks of a message.
  classification: internal
  maxBytes: ${maxBytes}
  audit: { reads: none, writes: none }
---
kind: edgeType
name: reactions
document:
  ownerTeam: chat
  description: The reactions to a message.
  from: Message
  to: Reaction
  cardinality: many
  listCap: 1000
  maxEdges: 10000
  dataMaxBytes: 64
  audit: { reads: none, writes: none }
`;

test('a person makes a token, sees it once, and signs the command in with it', async () => {
  secret = await makeToken('my terminal', ['changes:write', 'changes:publish']);
  expect(secret).toMatch(/^hbt_[A-Za-z0-9]{50}$/);
  const ran = await habitat(`login ${stack.run().consoleUrl}`, secret);
  expect(ran).toMatchObject({ exit: 0, err: '', out: expect.stringContaining('Ana Ruiz at') });
  expect((await habitat('export')).exit).toBe(0);
  expect((await habitat('diff')).exit).toBe(0);
});

test('files that are wrong are told with their place, and those that are right become one change', async () => {
  writeFileSync(join(folder, 'definitions/reactions.yaml'), reaction(0));
  const checked = await habitat('check');
  expect(checked.exit).toBe(1);
  expect(checked.out).toMatch(/definitions\/reactions\.yaml:7:3: error: /);
  writeFileSync(join(folder, 'definitions/reactions.yaml'), reaction(1_000));
  const applied = await habitat('apply --title Reactions --submit --json');
  const result = JSON.parse(applied.out);
  expect(result).toMatchObject({ exit: 0, outcome: 'opened', change: { state: 'in review', edits: 2 } });
  await approve(result.change.number);
  const published = await habitat('apply --title Reactions --submit --publish');
  expect(published).toMatchObject({ exit: 0, err: '' });
  expect(published.out).toContain(`As it was: ∆${result.change.number}`);
  expect(published.out).toMatch(/Published as r2\./);
  await page.goto(`/changes/${result.change.number}`);
  await state(page, 'Live').waitFor();
  expect((await habitat('diff')).exit).toBe(0);
});

test('its page and its form say that a repository keeps it', async () => {
  await page.goto('/types/Reaction');
  await page.getByText(/Managed in code at git\.example\/chat/).waitFor();
});

test('the client library with the types that are made of it works against the gateway', async () => {
  expect((await habitat('types habitat.ts')).out).toContain('edge types');
  writeFileSync(
    join(folder, 'use.ts'),
    `import { createClient } from '${pathToFileURL(resolve('gateway/client/client.ts'))}';
import { habitat } from './habitat.ts';
const endpoints = [process.env.URL ?? ''];
const client = createClient({ types: habitat, endpoints, tenant: 'chat', key: process.env.KEY ?? '' });
const message = client.ref('Message', 'm1');
const reaction = client.ref('Reaction', 'r/1');
const reactions = { from: message, type: 'reactions' } as const;
await client.objects.put(message, { text: 'hello' });
await client.objects.put(reaction, { json: {} });
await client.edges.put({ ...reactions, to: reaction }, { time: 5, data: 'x' });
const { edges } = await client.edges.list(reactions, { limit: 10 });
console.log(JSON.stringify({
  edges: edges.map(({ to, time, data }) => [to.id, time, data]),
  text: (await client.objects.get(message))?.text(),
  none: await client.objects.get(client.ref('Message', 'm2')),
  count: await client.edges.count(reactions),
  refused: (await client.objects.put(message, { text: 'again' }, { ifAbsent: true })).conflict,
}));
await client.close();
`,
  );
  const child = spawn(process.execPath, ['use.ts'], {
    cwd: folder,
    env: { NODE_ENV: 'production', URL: stack.run().gatewayUrl, KEY: stack.demoKey() },
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(err).not.toContain('Error');
  expect(JSON.parse(out)).toEqual({
    edges: [['r/1', 5, 'x']],
    text: 'hello',
    none: null,
    count: 1,
    refused: 'already_exists',
  });
});

test('a revoked token is refused at its next request, and the log still names it', async () => {
  await actAs(page, 'Ana Ruiz');
  await page.goto('/settings?tab=tokens');
  await page.getByRole('button', { name: 'Revoke token my terminal' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Reason/).fill('The laptop is gone.');
  await dialog.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('The laptop is gone.').waitFor();
  const ran = await habitat('whoami');
  expect(ran).toMatchObject({ exit: 4, err: expect.stringContaining('was revoked by Ana Ruiz') });
  await page.goto('/audit');
  await page.getByText('token my terminal').first().waitFor();
});

test('carried into another installation the same files end in the same definitions', async () => {
  await stack[Symbol.asyncDispose]();
  stack = await startStack();
  ({ page } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' }));
  const env = {
    HABITAT_URL: stack.run().consoleUrl,
    HABITAT_TOKEN: await makeToken('of the other', ['changes:write', 'changes:publish']),
  };
  const before = JSON.parse((await habitat('diff --json', '', env)).out);
  expect(before).toMatchObject({ exit: 1, missingHere: [], different: [] });
  const applied = JSON.parse((await habitat('apply --submit --json', '', env)).out);
  await approve(applied.change.number);
  expect((await habitat('apply --publish', '', env)).out).toMatch(/Published as r2\./);
  expect(await habitat('diff', '', env)).toMatchObject({ exit: 0, err: '' });
});
