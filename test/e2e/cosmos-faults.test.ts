/** A region of Cosmos DB fails on a click, in a real browser: what callers get, what people see, and what the log keeps. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visit } from './browser.ts';
import { callGateway, type Stack, startStack, until } from './stack.ts';

let stack: Stack;
let browser: Browser;
/** Olga runs the installation, Ana uses it. */
let olga: Page;
let ana: Page;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  const { consoleUrl } = stack.run();
  olga = (await visit(browser, consoleUrl, { as: 'Olga Ek' })).page;
  ana = (await visit(browser, consoleUrl, { as: 'Ana Ruiz', width: 390 })).page;
});
afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  await olga.screenshot({ path: `shots/failed-${task.name.slice(0, 40)}.png`, fullPage: true });
});

const url = (id: string) => `${stack.run().gatewayUrl}/v1/chat/objects/Message/${id}`;
const read = (id: string) => callGateway(url(id), { key: stack.demoKey() });
const write = (id: string) => callGateway(url(id), { key: stack.demoKey(), method: 'PUT', body: `content of ${id}` });
const regionOf = async (id: string) => (await read(id)).headers.get('habitat-served-from');

const faults = (page: Page) => page.getByRole('table', { name: 'Faults' });
const bar = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });
/** What the gateway's panel says of a region. */
const region = (name: string) => olga.getByRole('region', { name: `Region ${name} of habitat-local` });

test('both regions are healthy, and an engineer may look at the local endpoint and not act on it', async () => {
  expect((await write('m1')).status).toBeLessThan(300);
  expect(await regionOf('m1')).toBe('East');
  await olga.goto('/gateways?row=gw-a');
  for (const name of ['East', 'West']) await region(name).getByText('Healthy').waitFor();
  await region('East')
    .getByText(/takes writes/)
    .waitFor();
  await ana.goto('/gateways?tab=cosmos');
  await ana.getByText('No fault is on.').waitFor();
  const button = ana.getByRole('button', { name: 'Switch on a fault' });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await button.hover();
  await ana
    .getByText(/set by an operator or an admin/)
    .first()
    .waitFor();
});

test('East is made to refuse connections: reads go on from West, and every page says that a fault is on', async () => {
  await olga.goto('/gateways');
  await olga.getByRole('navigation', { name: 'Gateways' }).getByRole('link', { name: 'Local Cosmos' }).click();
  await olga.getByRole('button', { name: 'Switch on a fault' }).click();
  const dialog = olga.getByRole('dialog', { name: 'Switch on a fault' });
  await dialog.getByLabel('Region').selectOption('East');
  await dialog.getByText('East refuses connections.').waitFor();
  await dialog.getByRole('button', { name: 'Switch on the fault' }).click();
  await faults(olga).getByText('East refuses connections').waitFor();
  await bar(ana, /A fault is on at the local Cosmos endpoint/).waitFor();

  for (let n = 0; n < 40; n += 1) {
    const reply = await read('m1');
    expect([reply.status, reply.text]).toEqual([200, 'content of m1']);
    expect(reply.headers.get('habitat-served-from')).toBe('West');
  }
});

test('the gateway’s page shows East open, Home says what that means, and a request’s page names the region that answered', async () => {
  await until(async () => (await write('m2')).code === 'store_unavailable', { what: 'a write that is refused' });
  await olga.goto('/gateways?row=gw-a');
  await region('East')
    .getByText(/Open since|Trying/)
    .waitFor({ timeout: 30_000 });
  await region('West').getByText('Healthy').waitFor();
  await bar(ana, /Nothing can be written since .*: East of habitat-local answers no gateway/).waitFor();
  await olga.goto('/');
  await olga.getByText('East of habitat-local answers no gateway, so nothing can be written').waitFor();

  // Requests are shipped every few seconds, a sample of those that were served among them.
  let kept = '';
  await until(
    async () => {
      const reply = await olga.request.get('/api/requests?tenant=chat&operation=object.get&outcome=served');
      const { items } = (await reply.json()) as { items: { id: string; attempts: { region: string }[] }[] };
      kept = items.find(({ attempts }) => attempts.at(-1)?.region === 'West')?.id ?? '';
      return kept !== '';
    },
    { what: 'the record of a read that West served' },
  );
  await olga.goto(`/requests/${kept}`);
  await olga.getByText(/^Cosmos DB answered .*200 in West$/).waitFor();
  await olga.getByRole('table', { name: 'Attempts' }).getByText('West').waitFor();
});

test('switched off, East comes back by itself and takes writes', async () => {
  await olga.goto('/gateways?tab=cosmos');
  await olga.getByRole('button', { name: 'Switch off: East refuses connections' }).click();
  await olga.getByText('No fault is on.').waitFor();
  await until(async () => (await write('m2')).status < 300, { what: 'a write that is taken again', timeoutMs: 60_000 });
  await olga.goto('/gateways?row=gw-a');
  await region('East').getByText('Healthy').waitFor({ timeout: 60_000 });
  await bar(ana, /Nothing can be written|fault is on/).waitFor({ state: 'detached', timeout: 30_000 });
  expect((await read('m2')).text).toBe('content of m2');
});

test('writes moved to West are followed by the gateway, and so is their way back', async () => {
  await olga.goto('/gateways?tab=cosmos');
  const regions = olga.getByRole('table', { name: 'Regions of habitat-local' });
  for (const [to, id] of [
    ['West', 'm3'],
    ['East', 'm4'],
  ] as const) {
    await regions.getByRole('button', { name: `Move writes to ${to}` }).click();
    await olga
      .getByRole('dialog')
      .getByRole('button', { name: `Move writes to ${to}` })
      .click();
    await regions
      .getByRole('row', { name: new RegExp(`^${to}`) })
      .getByText('reads and writes')
      .waitFor();
    await until(async () => (await write(id)).status < 300, { what: `a write that ${to} takes` });
    expect((await read(id)).text).toBe(`content of ${id}`);
  }
});

test('the log holds each act with who did it', async () => {
  await ana.goto(`/audit?tab=changes&filter=${encodeURIComponent('actor:Olga')}`);
  const log = ana.getByRole('table').first();
  await log.getByText('switched on').waitFor();
  await log.getByText('a fault: East refuses connections').first().waitFor();
  await log.getByText('switched off').waitFor();
  for (const to of ['West', 'East']) await log.getByText(`the writes of habitat-local to ${to}`).waitFor();
});

test('an endpoint that does not answer is said, and so is its return', async () => {
  const pid = stack.run().pids.cosmos;
  if (pid === undefined) throw new Error('the local Cosmos endpoint does not run');
  await olga.goto('/gateways?tab=cosmos');
  await olga.getByRole('table', { name: 'Regions of habitat-local' }).waitFor();
  process.kill(pid, 'SIGSTOP');
  try {
    await olga
      .getByText(/The local Cosmos endpoint does not answer at 127\.0\.0\.1:\d+: no answer within 3 s\./)
      .waitFor();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await olga.getByRole('table', { name: 'Regions of habitat-local' }).waitFor();
});
