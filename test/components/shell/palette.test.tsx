// @vitest-environment happy-dom
import { AppRouterContext, type AppRouterInstance } from 'next/dist/shared/lib/app-router-context.shared-runtime.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Palette } from '#components/shell/palette.tsx';
import { startConsoleServer } from '#test/components/console-server.ts';
import { find, openPage, type Page } from '#test/components/ui/page.tsx';

type ConsoleServer = Awaited<ReturnType<typeof startConsoleServer>>;

let page: Page | undefined;
let server: ConsoleServer | undefined;
const searched: string[] = [];
beforeEach(async () => {
  searched.length = 0;
  server = await startConsoleServer((request, response) => {
    searched.push(new URL(request.url ?? '', 'http://console').searchParams.get('q') ?? '');
    response
      .setHeader('access-control-allow-origin', '*')
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ items: [], total: 0 }));
  });
});
afterEach(async () => {
  page?.close();
  page = undefined;
  await server?.close();
});

const ROUTER: AppRouterInstance = {
  ...{ back: () => undefined, forward: () => undefined, refresh: () => undefined },
  ...{ push: () => undefined, replace: () => undefined, prefetch: () => undefined, bfcacheId: '' },
};
const saidInside = () => [...document.querySelectorAll('dialog [role=status] p')].map((line) => line.textContent);

it('says how many results there are once typing has paused, and that there is none', async () => {
  page = openPage(
    <AppRouterContext value={ROUTER}>
      <Palette onClose={() => undefined} />
    </AppRouterContext>,
  );
  const input = find('dialog input');
  expect(document.activeElement).toBe(input);
  page.type(input, 'releas');
  page.type(input, 'release');
  await vi.waitFor(() => expect(saidInside()).toEqual(['1 result']), { timeout: 15_000 });
  expect(new Set(searched)).toEqual(new Set(['release']));
  page.type(input, 'zzqq');
  await vi.waitFor(() => expect(saidInside().at(-1)).toBe('Nothing has this name.'), { timeout: 15_000 });
  expect(saidInside().filter((line) => line === '1 result').length).toBeLessThanOrEqual(1);
}, 60_000);
