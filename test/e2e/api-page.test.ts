/** The page of the data API: its commands run as printed, and every refusal's help leads to a page that explains it. */
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_OPERATIONS, codesOf } from '#gateway/contract/api/api-operations.ts';
import { ERRORS, ErrorBody, type ErrorCode } from '#gateway/contract/errors.ts';
import { launchBrowser, seriousFaults, settled, sidewaysPixels, visit } from './browser.ts';
import { callGateway, type Stack, startStack } from './stack.ts';

const run = promisify(execFile);
let stack: Stack;
let browser: Browser;
let page: Page;
let complaints: () => readonly string[];

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  ({ page, complaints } = await visit(browser, stack.run().consoleUrl, { as: 'Ana Ruiz' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
});

const main = () => page.getByRole('main');

/** What the snippets of a page would copy, by title. */
async function commands(): Promise<readonly { readonly title: string; readonly code: string }[]> {
  const found = await main()
    .getByRole('region', { name: /^curl · / })
    .all();
  return Promise.all(
    found.map(async (region) => ({
      title: (await region.getAttribute('aria-label')) ?? '',
      code: (await region.locator('code').textContent()) ?? '',
    })),
  );
}

test('every printed command of every operation runs as it is and is answered as the page says', async () => {
  const env = { ...process.env, HABITAT_KEY: stack.demoKey() };
  const ran: string[] = [];
  for (const call of API_OPERATIONS) {
    await page.goto(`/errors/operations/${call.id}`);
    await settled(page);
    await main().getByText('Shell · your key').waitFor();
    for (const [at, { title, code }] of (await commands()).entries()) {
      const { stdout } = await run('sh', ['-c', code.replace('curl -i', 'curl -sS -i')], { env });
      expect(stdout, `${call.id}, ${title}`).toMatch(new RegExp(`^HTTP/1.1 ${call.examples[at]?.reply.status} `));
      ran.push(call.id);
    }
  }
  // The example has no two edge types with the same ends; the page says so.
  const expected = API_OPERATIONS.filter(({ id }) => id !== 'edge.changeType');
  expect(ran).toEqual(expected.flatMap((call) => call.examples.map(() => call.id)));
  await page.goto('/errors/operations/edge.changeType');
  await main()
    .getByText(/is the only edge type from \w+ to \w+\./)
    .waitFor();
});

test('operations and codes are found by words, with the keyboard, and lead to each other', async () => {
  await page.goto('/errors');
  await settled(page);
  await page.keyboard.press('/');
  await page.keyboard.type('edge list');
  await expect.poll(() => main().getByRole('table', { name: 'Operations' }).getByRole('row').count()).toBe(2);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('edge list');
  await main().getByRole('link', { name: 'edge.list' }).click();
  await page.waitForURL('**/errors/operations/edge.list');
  await main().getByRole('link', { name: 'invalid_cursor' }).click();
  await page.waitForURL('**/errors/invalid_cursor');
  await main().getByRole('link', { name: 'edge.list', exact: true }).click();
  await page.waitForURL('**/errors/operations/edge.list');
  const shown = API_OPERATIONS.find(({ id }) => id === 'edge.list');
  const codes = await main().getByRole('table', { name: 'Codes of edge.list' }).getByRole('row').count();
  expect(codes - 1).toBe(shown === undefined ? 0 : codesOf(shown).length);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('edge list');
});

interface Refused {
  readonly code: ErrorCode;
  readonly help: string;
}

/** Refusals of every kind that a caller meets before or at policy, one within a batch, and one of what is no HTTP. */
async function refusals(): Promise<readonly Refused[]> {
  const key = stack.demoKey();
  const at = (path: string) => `${stack.run().gatewayUrl}/v1/chat/${path}`;
  const texts = [
    (await callGateway(at('objects/Message/m'), {})).text,
    (await callGateway(at('objects/Message/m?x=1'), { key })).text,
    (await callGateway(at('objects/Nope/m'), { key })).text,
    (await callGateway(at('objects/Message/none'), { key })).text,
    (await callGateway(at('query'), { key, method: 'POST', body: '{}' })).text,
  ].map((text) => JSON.parse(text) as unknown);
  const batch = await callGateway(at('batch'), {
    key,
    method: 'POST',
    body: '{"operations":[{"op":"object.get","type":"Message","id":"none"},{"op":"edge.count"}]}',
  });
  const { results } = JSON.parse(batch.text) as { results: unknown[] };
  const raw = await sendRaw('GARBAGE\r\n\r\n');
  return [...texts, ...results, JSON.parse(raw.slice(raw.indexOf('{')))].map((body) => {
    const { error } = ErrorBody.parse(body);
    return { code: error.code, help: error.help };
  });
}

function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(stack.run().gatewayUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(text));
    let got = '';
    socket.on('data', (chunk) => (got += chunk)).on('close', () => resolve(got));
  });
}

test('the help of a refusal leads to a page that explains it, with or without a record', async () => {
  for (const { code, help } of await refusals()) {
    expect(new URL(help).origin).toBe(new URL(stack.run().consoleUrl).origin);
    await page.goto(help);
    await main().getByRole('link', { name: code, exact: true }).waitFor();
    await main().getByText(ERRORS[code].advice).first().waitFor();
  }
  // The last one was refused before it was a request: the page says that it looks, and offers the code's requests.
  await main()
    .getByText(/No record of this request/)
    .waitFor();
  await main().getByRole('link', { name: 'Show kept requests with this code' }).waitFor();
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await sidewaysPixels(page)).toBe(0);
  }
  expect(await seriousFaults(page)).toEqual([]);
});

test.each(Object.keys(ERRORS) as ErrorCode[])(
  'a request that nobody kept is explained by its code: %s',
  async (code) => {
    await page.goto(`/requests/01KBA7Z3P9QW6T2M4X8RVD5NCH?code=${code}`);
    await main().getByText(ERRORS[code].advice).waitFor();
    await main().getByRole('link', { name: code, exact: true }).waitFor();
  },
);

test('whoever may not see the traffic is told why, and still what the code means', async () => {
  const { text } = await callGateway(`${stack.run().gatewayUrl}/v1/chat/objects/Nope/m`, { key: stack.demoKey() });
  const { error } = ErrorBody.parse(JSON.parse(text));
  const api = `/api/requests/${error.requestId}`;
  await expect.poll(async () => (await page.request.get(api)).status(), { timeout: 90_000 }).toBe(200);
  const admin = await visit(browser, stack.run().consoleUrl, { as: 'Ada Moss' });
  const headers = { 'x-habitat-csrf': '1', origin: new URL(stack.run().consoleUrl).origin };
  const give = (roles: readonly string[]) =>
    admin.page.request.put('/api/settings/people/sam/roles', { headers, data: { roles, reason: 'for a test' } });
  expect((await give(['engineer'])).status()).toBe(200);
  const sam = await visit(browser, stack.run().consoleUrl, { as: 'Sam Lee' });
  await sam.page.goto(error.help);
  const words = sam.page.getByRole('main');
  await words.getByText(/Traffic of chat is for its team/).waitFor();
  await words.getByText(ERRORS.unknown_type.advice).waitFor();
  await give(['security']);
  await sam.context.close();
  await admin.context.close();
});

test('signing in on the way keeps the code of the link', async () => {
  const { page: other, context } = await visit(browser, stack.run().consoleUrl);
  await other.goto('/requests/01KBA7Z3P9QW6T2M4X8RVD5NCH?code=forbidden');
  await other.waitForURL('**/sign-in*');
  expect(new URL(other.url()).searchParams.get('callbackUrl')).toBe(
    '/requests/01KBA7Z3P9QW6T2M4X8RVD5NCH?code=forbidden',
  );
  await context.close();
});

test('none of these pages logged anything but what it was answered', () => {
  expect(complaints().filter((one) => !/Failed to load resource/.test(one))).toEqual([]);
});
