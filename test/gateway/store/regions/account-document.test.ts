import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import {
  documentVersion,
  parseAccountDocument,
  publishDocument,
  readDocument,
} from '#gateway/store/regions/account-document.ts';
import {
  allocateRegionTable,
  HEADER,
  HEADER_TIME,
  openRegionTable,
  takeLease,
} from '#gateway/store/regions/shared-table.ts';

const location = (name: string) => ({ name, databaseAccountEndpoint: `https://acct-${name.toLowerCase()}.example/` });
const east = { name: 'East', url: 'https://acct-east.example/' };
const west = { name: 'West', url: 'https://acct-west.example/' };
const document = {
  id: 'acct',
  writableLocations: [location('East')],
  readableLocations: [location('West'), location('East')],
  userConsistencyPolicy: { defaultConsistencyLevel: 'BoundedStaleness' },
};

it('an account document names regions in its order, and the one that takes writes', () => {
  expect(parseAccountDocument(document)).toEqual({ account: 'acct', write: east, regions: [west, east] });
});

it('with several write regions the first takes all writes: concurrent counts under multi-region writes would be lost', () => {
  const many = { ...document, writableLocations: [location('West'), location('East')] };
  expect(parseAccountDocument(many).write).toEqual(west);
});

it('a region that is only written to is one of the account too', () => {
  const unread = { ...document, readableLocations: [location('West')] };
  expect(parseAccountDocument(unread).regions).toEqual([west, east]);
});

it.each([
  ['no document', {}],
  ['without regions', { ...document, readableLocations: [] }],
  ['with a name that is no header value', { ...document, readableLocations: [location('Ea\nst')] }],
  [
    'with an address that is none',
    { ...document, writableLocations: [{ name: 'East', databaseAccountEndpoint: 'file:///etc/passwd' }] },
  ],
])('%s is refused', (_name, body) => {
  expect(() => parseAccountDocument(body)).toThrow();
});

it('what one worker read, all know; half of a document is never taken', () => {
  const buffer = allocateRegionTable();
  const [one, other] = [openRegionTable(buffer), openRegionTable(buffer)];
  expect(documentVersion(other)).toBe(0);
  publishDocument(one, parseAccountDocument(document));
  const version = documentVersion(other);
  expect(readDocument(other, version)?.write).toEqual(east);
  // A worker that was ended while it wrote leaves the version odd.
  Atomics.store(one.header, HEADER.documentVersion, version + 1);
  expect(readDocument(other, documentVersion(other))).toBeNull();
  publishDocument(one, parseAccountDocument({ ...document, id: 'next' }));
  expect(readDocument(other, documentVersion(other))?.account).toBe('next');
});

it('of many threads one has a lease at a time', async () => {
  const buffer = allocateRegionTable();
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.table).then(({ openRegionTable, takeLease }) => {
      const table = openRegionTable(workerData.buffer);
      const span = { nowMs: 5_000, untilMs: 10_000 };
      let taken = 0;
      for (let round = 0; round < 1_000; round += 1) if (takeLease(table.headerTimes, 0, span)) taken += 1;
      parentPort.postMessage(taken);
    });`;
  const table = new URL('../../../../gateway/store/regions/shared-table.ts', import.meta.url).href;
  const workers = Array.from({ length: 3 }, () => new Worker(code, { eval: true, workerData: { buffer, table } }));
  const taken = await Promise.all(workers.map((worker) => new Promise<number>((done) => worker.once('message', done))));
  await Promise.all(workers.map((worker) => worker.terminate()));
  expect(taken.reduce((sum, one) => sum + one, 0)).toBe(1);
  const { headerTimes } = openRegionTable(buffer);
  expect(takeLease(headerTimes, HEADER_TIME.documentDue, { nowMs: 9_999, untilMs: 20_000 })).toBe(false);
  expect(takeLease(headerTimes, HEADER_TIME.documentDue, { nowMs: 10_000, untilMs: 20_000 })).toBe(true);
});

it('a lease that was taken before the clock was set back is not waited for', () => {
  const { headerTimes } = openRegionTable(allocateRegionTable());
  expect(takeLease(headerTimes, HEADER_TIME.documentDue, { nowMs: 3_600_000, untilMs: 3_605_000 })).toBe(true);
  expect(takeLease(headerTimes, HEADER_TIME.documentDue, { nowMs: 1_000, untilMs: 6_000 })).toBe(true);
  expect(takeLease(headerTimes, HEADER_TIME.documentDue, { nowMs: 2_000, untilMs: 7_000 })).toBe(false);
});

it('a document that two threads wrote at once is left alone instead of failing every request', () => {
  const table = openRegionTable(allocateRegionTable());
  publishDocument(table, parseAccountDocument(document));
  table.document.set(new TextEncoder().encode('}{'), 5);
  expect(readDocument(table, documentVersion(table))).toBeNull();
  publishDocument(table, parseAccountDocument(document));
  expect(readDocument(table, documentVersion(table))).toMatchObject({ write: east });
});
