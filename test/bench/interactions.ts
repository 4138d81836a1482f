import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createDatabase } from '#server/db/client.ts';
import { startPostgres } from '#server/launch/postgres.ts';
import { launchBrowser, settled, visit } from '#test/e2e/browser.ts';
import { startStack, until } from '#test/e2e/stack.ts';
import { addBulkRows } from '#test/support/bulk-rows.ts';
import { describe, readMachine } from './lib/machine.ts';
import { markdownOf } from './lib/report.ts';

/**
 * How long the console takes from a key press or click to the next paint, at the size that an installation may have:
 * `node --conditions=react-server test/bench/interactions.ts [rounds]`. 10,000 object types, 20,000 edge types that all join
 * one type, 1,000 tenants. Starts all of Habitat and the machine's Chromium; durations are what the browser's Event Timing
 * tells, in steps of 8 ms, from the event to the paint after its handlers.
 */
const ROUNDS = Number(process.argv[2] ?? 3);
/** The browser tells no event that is shorter. */
const LEAST_MS = 16;
const SIZE = { objectTypes: 10_000, edgeTypes: 20_000, tenants: 1_000 };
const REST = { policies: 0, changes: 1_000, releases: 0, auditRows: 10_000, gateways: 0 };

interface Journey {
  readonly name: string;
  readonly path: string;
  run(page: Page): Promise<void>;
}

const JOURNEYS: readonly Journey[] = [
  {
    name: 'types: type a filter and commit it',
    path: '/types',
    run: async (page) => {
      await page.keyboard.press('/');
      await type(page, 'ulk123');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /Bulk1230$/ }).waitFor();
    },
  },
  {
    name: 'types: move by arrow keys and peek',
    path: '/types?filter=team%3Achat',
    run: async (page) => {
      await page.keyboard.press('j');
      for (let step = 0; step < 20; step += 1) await press(page, 'ArrowDown');
      await press(page, 'Space');
      await press(page, 'Escape');
    },
  },
  {
    name: 'types: turn pages',
    path: '/types?filter=kind%3Aedge',
    run: async (page) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const first = page.locator('.ledger-lead').first();
        const shown = await first.textContent();
        await page
          .getByRole('link', { name: 'Next page' })
          .or(page.getByRole('button', { name: 'Next page' }))
          .click();
        // The page before stays until the next one has come.
        await until(async () => (await first.textContent()) !== shown, { what: 'the next page' });
        await settled(page);
      }
    },
  },
  {
    name: 'types: hover rows and scroll',
    path: '/types?filter=kind%3Aobject',
    run: async (page) => {
      for (let y = 300; y < 800; y += 20) await page.mouse.move(600, y);
      await scroll(page, 10);
    },
  },
  {
    name: 'palette: open, type a name, move',
    path: '/types',
    run: async (page) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('dialog').waitFor();
      await type(page, 'bulk99');
      await page
        .getByRole('option', { name: /Bulk99/ })
        .first()
        .waitFor();
      for (let step = 0; step < 5; step += 1) await press(page, 'ArrowDown');
      await press(page, 'Escape');
    },
  },
  {
    name: 'neighbours of a type with 20,000 edge types',
    path: '/types/Bulk1',
    run: async (page) => {
      await page.getByRole('link', { name: 'Relations', exact: true }).click();
      const table = page.getByRole('table', { name: 'Edge types of Bulk1' });
      await table.waitFor();
      await page.mouse.move(600, 600);
      await scroll(page, 20);
      await page.keyboard.press('Home');
      await table.getByRole('row').nth(1).locator('.ledger-lead').focus();
      for (let step = 0; step < 20; step += 1) await press(page, 'ArrowDown');
    },
  },
  {
    name: 'tenants: type a filter and commit it',
    path: '/tenants',
    run: async (page) => {
      await page.keyboard.press('/');
      await type(page, 'bulk-77');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /bulk-770/ }).waitFor();
    },
  },
];

const COLUMNS = ['what', 'interactions', 'median ms', 'max ms', 'slowest', 'longest frame ms', 'page shown after ms'];

const stack = await startStack();
const browser = await launchBrowser();
try {
  const server = await startPostgres({
    ...{ folder: join(stack.home, 'postgres'), logFile: join(stack.home, 'postgres.log') },
    ...{ database: 'habitat', durable: true },
  });
  const db = createDatabase(server.url);
  await addBulkRows(db, { ...SIZE, ...REST });
  await db.$disconnect();
  const { page } = await visit(browser, stack.run().consoleUrl, { as: 'Ada Moss' });
  page.setDefaultTimeout(60_000);
  await page.addInitScript(observe);
  const rows: string[][] = [];
  for (const journey of JOURNEYS) rows.push(await measure(page, journey));
  process.stdout.write(
    markdownOf({
      title: 'Interactions',
      conditions: [
        `From a key press or click to the next paint, ${ROUNDS} rounds of each after one that is not counted. ${SIZE.objectTypes} object types, ${SIZE.edgeTypes} edge types, ${SIZE.tenants} tenants. Console, Postgres, gateway and Chromium on one machine.`,
        '',
        describe(readMachine()),
      ],
      tables: [{ columns: COLUMNS, rows }],
      remarks: [`The browser tells no event under ${LEAST_MS} ms; those count as ${LEAST_MS}.`],
      data: rows,
    }),
  );
} finally {
  await browser.close();
  await stack[Symbol.asyncDispose]();
}

/** What a page saw of itself. */
interface Observed {
  readonly events: Seen[];
  /** Frames of 50 ms and more. */
  readonly frames: number[];
}

interface Seen {
  readonly id: number;
  readonly name: string;
  readonly ms: number;
}

/** Runs in the page: keeps every event of an interaction, and every long frame. */
function observe(): void {
  const events: Seen[] = [];
  const frames: number[] = [];
  Object.assign(window, { observed: { events, frames } });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      const { interactionId = 0, name, duration } = entry;
      if (interactionId > 0) events.push({ id: interactionId, name, ms: duration });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) frames.push(duration);
  }).observe({ type: 'long-animation-frame' });
}

async function measure(page: Page, { name, path, run }: Journey): Promise<string[]> {
  const took: Pick<Seen, 'ms' | 'name'>[] = [];
  const loads: number[] = [];
  const frames: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const startedAt = performance.now();
    await page.goto(path);
    await settled(page);
    const loaded = performance.now() - startedAt;
    await rest(page);
    await page.evaluate(() => (window as unknown as { observed: Observed }).observed.frames.splice(0));
    const before = await counted(page);
    await run(page);
    await rest(page);
    const happened = (await counted(page)) - before;
    if (round === 0) continue;
    const observed = await page.evaluate(() => (window as unknown as { observed: Observed }).observed);
    const longest = longestOf(observed.events);
    const short = Math.max(0, happened - longest.length);
    took.push(...longest, ...Array.from({ length: short }, () => ({ ms: LEAST_MS, name: 'any' })));
    frames.push(...observed.frames);
    loads.push(loaded);
  }
  process.stderr.write(`${name} ran\n`);
  const sorted = took.toSorted((a, b) => a.ms - b.ms);
  const [median, most] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  const load = loads.toSorted((a, b) => a - b)[Math.floor(loads.length / 2)] ?? Number.NaN;
  const frame = frames.length === 0 ? 'under 50' : Math.max(...frames).toFixed(0);
  const told = [String(median?.ms ?? '–'), String(most?.ms ?? '–'), most?.name ?? '–'];
  return [name, String(took.length), ...told, frame, load.toFixed(0)];
}

/** The longest event of each interaction. */
function longestOf(events: readonly Seen[]): readonly Seen[] {
  const longest = new Map<number, Seen>();
  for (const one of events) if (one.ms > (longest.get(one.id)?.ms ?? 0)) longest.set(one.id, one);
  return [...longest.values()];
}

/** Interactions of the page so far, short ones too. */
function counted(page: Page): Promise<number> {
  return page.evaluate(() => performance.interactionCount);
}

async function type(page: Page, text: string): Promise<void> {
  for (const key of text) await press(page, key);
}

async function scroll(page: Page, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) {
    await page.mouse.wheel(0, 700);
    await rest(page);
  }
}

async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await rest(page);
}

/** Two frames: what a key asked for is painted. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
