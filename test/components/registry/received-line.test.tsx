// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { ReceivedLine } from '#components/registry/received-line.tsx';
import { startConsoleServer } from '#test/components/console-server.ts';
import { openPage, type Page } from '#test/components/ui/page.tsx';

let page: Page | undefined;
afterEach(() => {
  page?.close();
  page = undefined;
});

const LIKE = { operation: 'object.get', tenant: 'chat', objectId: 'm1' };
const requestOf = (id: string, status: number) => ({
  ...{ id, status, atMs: Date.now(), code: status < 400 ? null : 'forbidden', message: null },
  ...{ release: 4, ru: 1, operation: 'object.get' },
});
const lines = () => [...document.querySelectorAll('[role=status] p')].map((line) => line.textContent);

it('what a snippet came to is said once for each request, however often it is asked for', async () => {
  let newest: ReturnType<typeof requestOf> | null = null;
  let asked = 0;
  const server = await startConsoleServer((_request, response) => {
    asked += 1;
    response
      .setHeader('access-control-allow-origin', '*')
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ request: newest }));
  });
  const askedAgain = async () => {
    const until = asked + 2;
    await vi.waitFor(() => expect(asked).toBeGreaterThanOrEqual(until), { timeout: 15_000 });
  };
  try {
    page = openPage(<ReceivedLine kind="objectType" name="Message" like={LIKE} />);
    await askedAgain();
    expect(lines()).toEqual([]);
    newest = requestOf('a', 200);
    await vi.waitFor(() => expect(lines()).toEqual(['Received 200 under r4, 1.0\u00a0RU']), { timeout: 15_000 });
    await askedAgain();
    expect(lines().length).toBeLessThanOrEqual(1);
    newest = requestOf('b', 403);
    await vi.waitFor(() => expect(lines().at(-1)).toBe('Received 403 forbidden under r4, 1.0\u00a0RU'), {
      timeout: 15_000,
    });
  } finally {
    page?.close();
    page = undefined;
    await server.close();
  }
}, 60_000);
