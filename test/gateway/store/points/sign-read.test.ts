import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signByKey } from '#gateway/store/points/sign-read.ts';

const KEY = Buffer.from('a key of some length').toString('base64');
const signal = new AbortController().signal;

/** As https://learn.microsoft.com/rest/api/cosmos-db/access-control-on-cosmosdb-resources says. */
function expected(link: string, date: string): string {
  const text = `get\ndocs\n${link}\n${date.toLowerCase()}\n\n`;
  const signature = createHmac('sha256', Buffer.from(KEY, 'base64')).update(text).digest('base64');
  return encodeURIComponent(`type=master&ver=1.0&sig=${signature}`);
}

test('every read is signed for its own link and date, whatever was signed before it', () => {
  const sign = signByKey(KEY);
  const seconds = Array.from({ length: 3 }, (_, second) => new Date(1_800_000_000_000 + second * 1_000).toUTCString());
  // More links than are kept, each asked twice, and a date that comes back.
  const links = Array.from({ length: 1_100 }, (_, at) => `dbs/habitat/colls/data/docs/e~likes~${at}`);
  for (const date of [...seconds, ...seconds.slice(0, 1)]) {
    for (const link of [...links, ...links]) expect(sign(link, date, signal)).toBe(expected(link, date));
  }
});
