import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visit } from './browser.ts';
import { callGateway, type Stack, startStack, until } from './stack.ts';

interface Acknowledged {
  readonly path: string;
  readonly requestId: string;
  readonly body: string;
}

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.[Symbol.asyncDispose]();
});

/** Writes objects and edges one after another until told to stop; keeps what was acknowledged. */
async function write(
  writer: string,
  state: { stopped: boolean; readonly acknowledged: Acknowledged[] },
): Promise<void> {
  const key = stack.demoKey();
  for (let n = 0; !state.stopped; n++) {
    const isEdge = n % 3 === 2;
    const path = isEdge
      ? `/v1/chat/objects/Conversation/${writer}/edges/messages/${writer}-${n}`
      : `/v1/chat/objects/Message/${writer}-${n}`;
    const body = isEdge ? JSON.stringify({ time: 1_700_000_000_000 + n }) : `content ${n} of ${writer}`;
    const reply = await callGateway(`${stack.run().gatewayUrl}${path}`, { key, method: 'PUT', body }).catch(() => null);
    const requestId = reply?.headers.get('habitat-request-id');
    if (reply && reply.status < 300 && requestId) state.acknowledged.push({ path, requestId, body });
    // A refused connection answers at once; a writer that does not wait would spin.
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Ids of all requests whose write the audit log shows with its outcome. */
async function auditedWrites(page: Page): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ tab: 'writes', limit: '200', ...(cursor ? { cursor } : {}) });
    const reply = await page.request.get(`/api/audit?${query}`);
    expect(reply.status()).toBe(200);
    const body = (await reply.json()) as {
      items: { requestId: string | null; outcome: string | null }[];
      next?: string;
    };
    for (const { requestId, outcome } of body.items)
      if (requestId && outcome && outcome !== 'unknown') ids.add(requestId);
    cursor = body.next;
  } while (cursor);
  return ids;
}

test.each(['gateway', 'cosmos', 'postgres'])(
  'kill -9 of %s during writes loses no acknowledged write and no audit row',
  async (victim) => {
    const state = { stopped: false, acknowledged: [] as Acknowledged[] };
    const writers = ['a', 'b', 'c', 'd'].map((name) => write(`${victim}-${name}`, state));
    try {
      for (let round = 1; round <= 3; round++) {
        const before = state.acknowledged.length;
        await until(() => state.acknowledged.length >= before + 20, {
          what: `writes before kill ${round}`,
          detail: stack.output,
        });
        const pid = stack.run().pids[victim];
        expect(pid).toBeTypeOf('number');
        process.kill(pid as number, 'SIGKILL');
        await until(() => stack.run().pids[victim] !== pid, {
          what: `${victim} to be started again`,
          detail: stack.output,
        });
      }
      const before = state.acknowledged.length;
      await until(() => state.acknowledged.length >= before + 20, {
        what: 'writes after the last kill',
        detail: stack.output,
      });
    } finally {
      state.stopped = true;
      await Promise.all(writers);
    }

    const key = stack.demoKey();
    for (const { path, body } of state.acknowledged) {
      const reply = await callGateway(`${stack.run().gatewayUrl}${path}`, { key });
      expect(reply.status, path).toBe(200);
      if (path.includes('/edges/')) expect(JSON.parse(reply.text)).toMatchObject(JSON.parse(body) as object);
      else expect(reply.text).toBe(body);
    }
    for (const name of ['a', 'b', 'c', 'd']) {
      const edges = `${stack.run().gatewayUrl}/v1/chat/objects/Conversation/${victim}-${name}/edges/messages`;
      const { count } = JSON.parse((await callGateway(`${edges}:count`, { key })).text) as { count: number };
      const page = JSON.parse((await callGateway(`${edges}?limit=1000`, { key })).text) as { edges: unknown[] };
      expect(count).toBe(page.edges.length);
    }

    const { page, context } = await visit(browser, stack.run().consoleUrl, { as: 'Sam Lee' });
    let missing: readonly Acknowledged[] = [];
    await until(
      async () => {
        const audited = await auditedWrites(page);
        missing = state.acknowledged.filter(({ requestId }) => !audited.has(requestId));
        return missing.length === 0;
      },
      {
        what: 'every acknowledged write in the audit log',
        timeoutMs: 60_000,
        detail: () => JSON.stringify(missing.slice(0, 5)),
      },
    );
    await context.close();
  },
);
