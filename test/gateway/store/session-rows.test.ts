import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { allocateSessionRows, openSessionRows } from '#gateway/store/session-rows.ts';

/** Lets a thread take row 0 as a change does, and hold it for so long before it puts the old text back. */
function holdRow(buffer: SharedArrayBuffer, ms: number): Worker {
  const source = `
    const { workerData: { buffer, ms }, parentPort } = require('node:worker_threads');
    const heads = new Int32Array(buffer);
    const version = Atomics.load(heads, 0);
    Atomics.store(heads, 0, version | 1);
    parentPort.postMessage('held');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    if (Atomics.compareExchange(heads, 0, version | 1, version + 2) === (version | 1)) Atomics.notify(heads, 0);
  `;
  return new Worker(source, { eval: true, workerData: { buffer, ms } });
}

it('a row that a thread holds while the system keeps it from running is waited for, not taken for empty', async () => {
  const buffer = allocateSessionRows();
  const rows = openSessionRows(buffer);
  rows.update(0, () => '0:-1#12');
  const holder = holdRow(buffer, 100);
  await once(holder, 'message');
  expect(rows.read(0)).toBe('0:-1#12');
  await once(holder, 'exit');
});

it('a change waits for another one and is made on what that left', async () => {
  const buffer = allocateSessionRows();
  const rows = openSessionRows(buffer);
  rows.update(0, () => 'one');
  const holder = holdRow(buffer, 100);
  await once(holder, 'message');
  rows.update(0, (text) => `${text} two`);
  expect(rows.read(0)).toBe('one two');
  await once(holder, 'exit');
  expect(rows.read(0)).toBe('one two');
});

it('a row whose thread was ended in the middle of a change is empty, and usable again', async () => {
  const buffer = allocateSessionRows();
  const rows = openSessionRows(buffer);
  rows.update(0, () => 'half');
  const holder = holdRow(buffer, 60_000);
  await once(holder, 'message');
  await holder.terminate();
  expect(rows.read(0)).toBe('');
  rows.update(0, () => 'whole');
  expect(rows.read(0)).toBe('whole');
});

it('no text is lost or torn when threads change one row at once', async () => {
  const buffer = allocateSessionRows();
  const module = new URL('../../../gateway/store/session-rows.ts', import.meta.url).href;
  const source = `
    import { workerData } from 'node:worker_threads';
    const { openSessionRows } = await import(workerData.module);
    const rows = openSessionRows(workerData.buffer);
    for (let time = 0; time < 20_000; time += 1) rows.update(7, (text) => String(Number(text) + 1));
  `;
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const threads = [1, 2].map(() => new Worker(url, { workerData: { buffer, module } }));
  await Promise.all(threads.map((thread) => once(thread, 'exit')));
  expect(openSessionRows(buffer).read(7)).toBe('40000');
});
