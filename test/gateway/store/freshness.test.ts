import { expect, test } from 'vitest';
import type { SessionToken } from '#gateway/pipeline/store-port.ts';
import type { Account } from '#gateway/store/account.ts';
import { createFreshness } from '#gateway/store/freshness.ts';
import { createSessionTokens } from '#gateway/store/session-tokens.ts';
import { allocateStoreMemory } from '#gateway/store/store-memory.ts';
import { openWriteMarks } from '#gateway/store/write-marks.ts';

const names = { account: 'here', container: 'data' };
const token = (range: string, value: string, account = 'here'): SessionToken => ({
  ...names,
  account,
  range,
  token: value,
});

function open() {
  const memory = allocateStoreMemory();
  const tokens = createSessionTokens(names, memory.sessions);
  const account: Pick<Account, 'tokens' | 'writes'> = { tokens, writes: openWriteMarks(memory.writes, () => 0) };
  return { tokens, freshness: createFreshness(account) };
}

const filled = (progress: string, atMs = 100) => ({ progress, atMs, isExact: true });

test('an entry covers a session that it got as far as, and none that is ahead of it', () => {
  const { freshness } = open();
  expect(freshness.covers(filled('0:1#10'), [], 200)).toBe(true);
  expect(freshness.covers(filled('0:1#10'), [token('0', '1#10')], 200)).toBe(true);
  expect(freshness.covers(filled('0:1#10'), [token('0', '1#11')], 200)).toBe(false);
  expect(freshness.covers(filled('0:1#10'), [token('0', '2#1')], 200)).toBe(false);
  expect(freshness.covers(filled('0:1#10'), [token('0', '1#99', 'elsewhere')], 200)).toBe(true);
});

test('a range that was known before the fill is of another partition; one that came after it may be its own', () => {
  const { freshness } = open();
  const session = [token('1', '1#50')];
  expect(freshness.covers(filled('0:1#10', 100), session, 200)).toBe(false);
  expect(freshness.covers(filled('0:1#10', 150), session, 201)).toBe(false);
  expect(freshness.covers(filled('0:1#10', 300), session, 301)).toBe(true);
});

test('where only what was asked for is known, every range of a session has to be covered', () => {
  const { freshness } = open();
  const session = [token('1', '1#50')];
  freshness.covers(filled('0:1#10'), session, 50);
  const asked = { progress: '0:1#10', atMs: 300, isExact: false };
  expect(freshness.covers(asked, session, 301)).toBe(false);
  expect(freshness.covers({ ...asked, progress: '0:1#10,1:1#50' }, session, 301)).toBe(true);
});

test('of several reads behind a reply no more is believed than what all of them carried', () => {
  const { freshness } = open();
  const reply = [token('0', '1#20')];
  expect(freshness.progressOf(reply, null)).toBe('0:1#20');
  expect(freshness.progressOf(reply, '0:1#15,7:1#9')).toBe('0:1#15');
  const unknown = freshness.progressOf(reply, '');
  expect(freshness.covers(filled(unknown), [token('0', '1#1')], 200)).toBe(false);
  expect(freshness.tokensOf(unknown)).toEqual([]);
});

test('a read that begins now carries the newest of what the process saw and what the client brings', () => {
  const { tokens, freshness } = open();
  tokens.note('pk', '0:1#7', []);
  expect(freshness.leastOf('pk', [])).toBe('0:1#7');
  expect(freshness.leastOf('pk', [token('0', '1#9')])).toBe('0:1#9');
});
