import { expect, test } from 'vitest';
import { keyState } from '#components/tenants/key-state.ts';

const NOW = 1_000_000_000_000;
const DAY = 86_400_000;
const key = {
  id: 'Ab12Cd34Ef56',
  label: 'demo',
  createdAtMs: 0,
  createdBy: { id: 'u1', name: 'Ana Ruiz' },
  expiresAtMs: null,
  revokedAtMs: null,
  revokedBy: null,
  revokeReason: null,
  lastUsedMs: null,
};

test.each([
  ['Live', {}],
  ['Live', { expiresAtMs: NOW + 8 * DAY }],
  ['Ends soon', { expiresAtMs: NOW + 7 * DAY }],
  ['Ended', { expiresAtMs: NOW }],
  ['Revoked', { revokedAtMs: NOW - 1 }],
  ['Revoked', { revokedAtMs: NOW - 1, expiresAtMs: NOW - DAY }],
])('a key reads %s: %j', (word, facts) => {
  expect(keyState({ ...key, ...facts }, NOW).word).toBe(word);
});
