import { describe, expect, it } from 'vitest';
import { namedKeyState, targetWords, triedName } from '#components/requests/request-words.ts';
import type { ErrorCode } from '#gateway/contract/errors.ts';

const NONE = { type: null, objectId: null, edgeType: null, code: null, message: null };
const unknown = (code: ErrorCode, what: string, name: string) => ({
  ...NONE,
  code,
  message: `No ${what} "${name}" is registered in r42.`,
});
const plain = (words: string) => words.replaceAll(/[\u2068\u2069]/g, '');

describe('what a request was about', () => {
  it('is its names, and a name that is not registered stands in its place', () => {
    const conversation = { ...NONE, type: 'Conversation', objectId: 'c_1' };
    expect(targetWords({ ...conversation, edgeType: 'messages' })).toBe('messages of Conversation c_1');
    const typo = unknown('unknown_type', 'object type', 'Mesage');
    expect(plain(targetWords({ ...typo, objectId: 'm_1' }))).toBe('Mesage (not registered) m_1');
    const edge = unknown('unknown_edge_type', 'edge type', 'mesages');
    expect(plain(targetWords({ ...conversation, code: edge.code, message: edge.message }))).toBe(
      'mesages (not registered) of Conversation c_1',
    );
    const tenant = unknown('unknown_tenant', 'tenant', 'chta');
    expect(plain(targetWords({ ...conversation, code: tenant.code, message: tenant.message }))).toBe(
      'Conversation c_1 of tenant chta (not registered)',
    );
  });

  it('names nothing that the answer did not name', () => {
    expect(triedName({ code: 'forbidden', message: 'No object type "x" is registered in r1.' })).toBeNull();
    expect(triedName({ code: 'unknown_type', message: 'Something else.' })).toBeNull();
    expect(triedName({ code: 'unknown_type', message: null })).toBeNull();
  });
});

it('a key that let nobody in is revoked, expired, or was not proven', () => {
  const key = { id: 'k', principal: 'p', revokedAtMs: null, expiresAtMs: 9 };
  expect(namedKeyState({ ...key, revokedAtMs: 5 }, 10)).toBe('revoked');
  expect(namedKeyState(key, 10)).toBe('expired');
  expect(namedKeyState(key, 8)).toBe('not let in');
});
