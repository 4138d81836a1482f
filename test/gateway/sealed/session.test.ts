import { expect, test } from 'vitest';
import { fleetKeysFrom } from '#gateway/sealed/fleet-keys.ts';
import { createSessions } from '#gateway/sealed/session.ts';

function sessions(secret: string) {
  const parsed = fleetKeysFrom(secret);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return createSessions(parsed.keys);
}

const token = (range: string, value = '1:2#3') => ({ account: 'a', container: 'main', range, token: value });

test('tokens come back from the fleet that sealed them, and nothing of them can be read', () => {
  const sealed = sessions('s'.repeat(43)).seal([token('range-of-tests')]);
  expect(sealed).not.toBeNull();
  expect(Buffer.from(sealed ?? '', 'base64url').toString('latin1')).not.toContain('range-of');
  expect(sessions('s'.repeat(43)).open(sealed ?? '')).toEqual([token('range-of-tests')]);
  expect(sessions('t'.repeat(43)).open(sealed ?? '')).toBeNull();
});

test('no changed byte passes', () => {
  const own = sessions('s'.repeat(43));
  const bytes = Buffer.from(own.seal([token('0')]) ?? '', 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    expect(own.open(changed.toString('base64url'))).toBeNull();
  }
});

test('at most 16 entries and 2 KB are carried: the oldest go', () => {
  const own = sessions('s'.repeat(43));
  const many = Array.from({ length: 40 }, (_, index) => token(String(index)));
  expect(own.open(own.seal(many) ?? '')).toEqual(many.slice(-16));
  const long = Array.from({ length: 16 }, (_, index) => token(String(index), 'x'.repeat(300)));
  const sealed = own.seal(long) ?? '';
  expect(sealed.length).toBeLessThanOrEqual(2_048);
  expect(own.open(sealed)?.at(-1)).toEqual(long.at(-1));
  expect(own.seal([])).toBeNull();
});

test('a reply carries on what its request carried, the newer where both saw a range', () => {
  const own = sessions('s'.repeat(43));
  const carried = [token('0', '1:2#3'), token('1', '1:2#9')];
  const reply = own.seal([token('0', '1:2#5'), token('1', '1:2#4')], carried) ?? '';
  expect(own.open(reply)).toEqual([token('0', '1:2#5'), token('1', '1:2#9')]);
});

test('replies to calls side by side are carried together, comma between, at most eight', () => {
  const own = sessions('s'.repeat(43));
  const [a, b] = [own.seal([token('0')]) ?? '', own.seal([token('1')]) ?? ''];
  expect(own.open(`${a},${b}`)).toEqual([token('0'), token('1')]);
  expect(own.open(`${a}, ${b}`)).toEqual([token('0'), token('1')]);
  expect(own.open([a, b, a, b, a, b, a, b].join())).toEqual([token('0'), token('1')]);
  expect(own.open([a, b, a, b, a, b, a, b, a].join())).toBeNull();
  expect(own.open(`${a},`)).toBeNull();
  expect(own.open(`${a},nonsense`)).toBeNull();
});
