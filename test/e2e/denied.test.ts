/** A policy that denies one client is published: its release's page names that client, and not the denials it had before. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { warningKey } from '#server/contract/changes.ts';
import { actAs, launchBrowser, seriousFaults, settled, visit } from './browser.ts';
import { callGateway, type Stack, startStack, until } from './stack.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
let reportsKey: string;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  const visitor = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' });
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

interface Reply {
  readonly number: number;
  readonly release: number;
  readonly contentHash: string;
  readonly secret: string;
  readonly findings: readonly (Parameters<typeof warningKey>[0] & { readonly severity: string })[];
}

/** One request to the console's API as whoever is signed in. */
async function api(method: string, path: string, data: unknown = {}): Promise<Reply> {
  const headers = { 'x-habitat-csrf': '1', origin: stack.run().consoleUrl };
  const reply = await page.request.fetch(path, { method, headers, ...(method === 'GET' ? {} : { data }) });
  if (!reply.ok()) throw new Error(`${method} ${path}: ${await reply.text()}`);
  return (await reply.json()) as Reply;
}

let who = 'Ana Ruiz';
async function become(name: string): Promise<void> {
  if (name !== who) await actAs(page, name);
  who = name;
}

/** Drafts one definition as Ana and publishes it with Sam's review; answers its release. */
async function publish(place: string, document: object): Promise<number> {
  await become('Ana Ruiz');
  const { number } = await api('POST', '/api/changes', { title: `Edit ${place}`, reason: 'for a journey' });
  await api('PUT', `/api/changes/${number}/edits/${place}`, { document, version: 0 });
  await api('POST', `/api/changes/${number}/submit`);
  await become('Sam Lee');
  const { contentHash, findings } = await api('GET', `/api/changes/${number}`);
  const ticked = findings.filter(({ severity }) => severity === 'warning').map(warningKey);
  await api('POST', `/api/changes/${number}/review`, { verdict: 'approved', ticked, contentHash });
  return (await api('POST', `/api/changes/${number}/publish`, { contentHash })).release;
}

/** What the gateway says to a read of a message with a key: its code, or none when it is served. */
const read = async (key: string) =>
  (await callGateway(`${stack.run().gatewayUrl}/v1/chat/objects/Message/none`, { key })).code;
const says = (key: string, code: string) =>
  until(async () => (await read(key)) === code, { what: `the gateway to say ${code}` });
const forbid = (name: string, principal: string) =>
  publish(`policy/${name}`, {
    ownerTeam: 'chat',
    description: 'For a journey.',
    cedar: `forbid (principal == ${principal}, action == Action::"object.read", resource == ObjectType::"Message");`,
  });

test('the release lists the client that it denies, with its count, the policy and one request', async () => {
  await publish('principal/triage', {
    ...{ ownerTeam: 'chat', description: 'Nothing names it yet.', tenant: 'chat', actorKind: 'agent' },
    ...{ groups: [], disabled: false },
  });
  await become('Ana Ruiz');
  reportsKey = (await api('POST', '/api/principals/triage/keys', { label: 'journey', expiresInDays: 1 })).secret;
  await says(reportsKey, 'forbidden');

  const release = await forbid('no-reads', 'Service::"chat-api"');
  await says(stack.demoKey(), 'forbidden');
  await page.goto(`/releases/${release}`);
  const list = page.getByRole('table', { name: `Clients denied because of r${release}` });
  const row = list.getByRole('row').filter({ hasText: 'chat-api' });
  await row.getByText('no-reads').waitFor();

  // It counts on by itself while the page is open, and leaves out who was refused before.
  for (let n = 0; n < 3; n += 1) expect(await read(stack.demoKey())).toBe('forbidden');
  for (let n = 0; n < 3; n += 1) expect(await read(reportsKey)).toBe('forbidden');
  await until(async () => Number((await row.getByRole('cell').nth(2).textContent())?.match(/\d+/)?.[0]) >= 4, {
    what: 'four requests to be counted',
  });
  await page.getByText(`One kind of call was refused under r${release - 1} as well`).waitFor();
  expect(await list.getByRole('row').count()).toBe(2);
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);

  await row.getByRole('link', { name: 'One request' }).click();
  await page.getByText(/policy no-reads forbids it/).waitFor();
});

test('a release that forbids somebody who was refused anyway is the cause of nothing', async () => {
  const release = await forbid('no-agents', 'Agent::"triage"');
  await page.goto(`/releases/${release}`);
  await page.getByText(`Nobody that r${release - 1} allowed is refused under r${release}.`).waitFor();
  await until(async () => (await read(reportsKey)) === 'forbidden', { what: 'the agent to be refused' });
  await page.goto('/releases/1');
  await page.getByText('r1 is the first release: nobody was let in before it.').waitFor();
});
