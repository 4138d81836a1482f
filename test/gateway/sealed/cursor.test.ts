import { expect, test } from 'vitest';
import { createCursors } from '#gateway/sealed/cursor.ts';
import { type FleetKeys, fleetKeysFrom } from '#gateway/sealed/fleet-keys.ts';

const NOW = 1_800_000_000_000;
const S = `${'e'.repeat(48)}~${'9'.repeat(16)}~${'t'.repeat(22)}`;

function keys(text: string): FleetKeys {
  const parsed = fleetKeysFrom(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.keys;
}

const SECRET_A = 'a'.repeat(43);
const SECRET_B = 'b'.repeat(43);

test('a cursor opens to its sort string, on any gateway with the same secret, and is under 200 bytes', () => {
  const cursor = createCursors(keys(SECRET_A), () => NOW).seal(S, 'list 1');
  expect(cursor.length).toBeLessThan(200);
  expect(createCursors(keys(SECRET_A), () => NOW + 1).open(cursor, 'list 1')).toBe(S);
});

test('it opens for its own list only, and not after a day', () => {
  const cursor = createCursors(keys(SECRET_A), () => NOW).seal(S, 'list 1');
  expect(createCursors(keys(SECRET_A), () => NOW).open(cursor, 'list 2')).toBeNull();
  expect(createCursors(keys(SECRET_A), () => NOW + 24 * 3_600_000 + 1_000).open(cursor, 'list 1')).toBeNull();
});

test('it survives an exchange of the secret while both live, and not its end', () => {
  const cursor = createCursors(keys(SECRET_A), () => NOW).seal(S, 'list 1');
  expect(createCursors(keys(`${SECRET_B}\n${SECRET_A}\n`), () => NOW).open(cursor, 'list 1')).toBe(S);
  expect(createCursors(keys(SECRET_B), () => NOW).open(cursor, 'list 1')).toBeNull();
});

test('no changed byte passes', () => {
  const cursors = createCursors(keys(SECRET_A), () => NOW);
  const bytes = Buffer.from(cursors.seal(S, 'list 1'), 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    expect(cursors.open(changed.toString('base64url'), 'list 1')).toBeNull();
  }
  for (const text of ['', 'x', '!', '='.repeat(40), 'A'.repeat(5_000)]) expect(cursors.open(text, 'list 1')).toBeNull();
});

test('a secret that is short, or a third live one, is refused', () => {
  expect(fleetKeysFrom('short')).toHaveProperty('problem');
  expect(fleetKeysFrom('')).toHaveProperty('problem');
  expect(fleetKeysFrom([SECRET_A, SECRET_B, 'c'.repeat(43)].join('\n'))).toHaveProperty('problem');
});
