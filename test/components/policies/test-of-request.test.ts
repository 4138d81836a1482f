import { expect, test } from 'vitest';
import { testOfRequest } from '#components/policies/test-of-request.ts';

const read = {
  principal: 'chat-api',
  operation: 'object.get',
  type: 'Message',
  edgeType: null,
  code: null,
  policy: 'team-owns-type',
} as const;

test('a served request is a test that expects it to be allowed, also when the object was not found or the quota was spent', () => {
  const expected = { principal: 'chat-api', action: 'object.read', resource: 'Message', expect: 'allow' };
  expect(testOfRequest(read)).toEqual(expected);
  expect(testOfRequest({ ...read, code: 'object_not_found' })).toEqual(expected);
  expect(testOfRequest({ ...read, code: 'quota_exceeded' })).toEqual(expected);
});

test('a forbidden request is a test that expects it to be denied, of its edge type where it was about edges', () => {
  const list = {
    ...read,
    operation: 'edge.list',
    type: 'Conversation',
    edgeType: 'messages',
    code: 'forbidden',
  } as const;
  const expected = { principal: 'chat-api', action: 'edge.read', resource: 'messages', expect: 'deny' };
  expect(testOfRequest(list)).toEqual(expected);
  expect(testOfRequest({ ...list, policy: null })).toEqual(expected);
});

test('what no policy decided about is no test, and says why', () => {
  expect(testOfRequest({ ...read, principal: null, policy: null })).toMatch(/caller is unknown/);
  expect(testOfRequest({ ...read, code: 'unknown_type', policy: null })).toMatch(/before a policy decided/);
  for (const operation of ['batch', 'commit', 'edge.changeType'] as const) {
    expect(testOfRequest({ ...read, operation })).toMatch(/single operations/);
  }
});
