import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ObjectId } from '#gateway/contract/ids.ts';
import { readPath } from '#gateway/http/path.ts';
import { readInteger, readQuery } from '#gateway/http/query.ts';
import { isDenial } from '#gateway/pipeline/denial.ts';

test('every id round-trips through the path, wherever it stands', () => {
  const id = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 60 })
    .filter((text) => ObjectId.safeParse(text).success);
  fc.assert(
    fc.property(id, id, (from, to) => {
      const path = `/v1/chat/objects/Message/${encodeURIComponent(from)}/edges/likes/${encodeURIComponent(to)}`;
      expect(readPath(path)).toEqual({
        shape: 'edge',
        tenant: 'chat',
        type: 'Message',
        id: from,
        edgeType: 'likes',
        toId: to,
      });
    }),
  );
});

test('a path takes exactly the ids that the contract takes', () => {
  const short = fc.string({ unit: fc.constantFrom(...'.-_aZ0~+:\u0000é'), maxLength: 4 });
  const long = fc.integer({ min: 250, max: 260 }).map((length) => 'x'.repeat(length));
  fc.assert(
    fc.property(fc.oneof(short, long), (id) => {
      // No id at all is the place where objects are created.
      fc.pre(id !== '');
      const path = readPath(`/v1/chat/objects/Message/${encodeURIComponent(id)}`);
      expect(!isDenial(path)).toBe(ObjectId.safeParse(id).success);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['/v1/chat/objects/Message/.', 'malformed_request'],
  ['/v1/chat/objects/Message/%2E%2E', 'malformed_request'],
  ['/v1/chat/objects/Message/', 'malformed_request'],
  ['/v1/chat/objects/Message/a%00b', 'malformed_request'],
  ['/v1/chat/objects/Message/%E0%A4', 'malformed_request'],
  ['/v1/chat/objects', 'unsupported_operation'],
  ['/v1/chat/batch/1', 'unsupported_operation'],
  ['/v1/chat/objects/Message/1/edges', 'unsupported_operation'],
  ['/v1/chat/objects/Message/1/edges/a/2/edges/b', 'unsupported_operation'],
  ['/v1/chat/query', 'unsupported_operation'],
  ['/v2/chat/objects/Message/1', 'unsupported_operation'],
  ['http://elsewhere/v1/chat/objects/Message/1', 'unsupported_operation'],
  ['*', 'unsupported_operation'],
])('%s is %s', (path, code) => {
  expect(readPath(path)).toMatchObject({ kind: 'denial', code });
});

test('a type takes new objects, a tenant takes batches', () => {
  expect(readPath('/v1/chat/objects/Message')).toEqual({ shape: 'objects', tenant: 'chat', type: 'Message' });
  expect(readPath('/v1/chat/batch')).toEqual({ shape: 'batch', tenant: 'chat' });
});

test('a count is asked by its suffix, and only an edge type has one', () => {
  expect(readPath('/v1/chat/objects/Message/1/edges/likes:count')).toMatchObject({ shape: 'count', edgeType: 'likes' });
  expect(readPath('/v1/chat/objects/Message/1:count')).toMatchObject({ shape: 'object', id: '1:count' });
});

test('what a POST does stands behind an id; any other method and an encoded colon leave it to the id', () => {
  const at = '/v1/chat/objects/Message/1';
  expect(readPath(`${at}:commit`, 'POST')).toMatchObject({ shape: 'commit', id: '1' });
  expect(readPath(`${at}:commit`, 'GET')).toMatchObject({ shape: 'object', id: '1:commit' });
  expect(readPath(`${at}%3Acommit`, 'POST')).toMatchObject({ shape: 'object', id: '1:commit' });
  const edge = `${at}/edges/likes/2`;
  expect(readPath(`${edge}:changeType`, 'POST')).toMatchObject({ shape: 'change', edgeType: 'likes', toId: '2' });
  expect(readPath(`${edge}:changeType`, 'PUT')).toMatchObject({ shape: 'edge', toId: '2:changeType' });
  expect(readPath(`${edge}:commit`, 'POST')).toMatchObject({ shape: 'edge', toId: '2:commit' });
});

test('query parameters: known ones once, ids often, nothing ignored', () => {
  const known = ['id', 'after'];
  expect(readQuery('id=a%2Fb&id=c+d&after=1', known)).toEqual(
    new Map([
      ['id', ['a/b', 'c d']],
      ['after', ['1']],
    ]),
  );
  expect(readQuery('', known)).toEqual(new Map());
  for (const query of ['x=1', 'after=1&after=2', 'id=%FF', 'ID=a']) {
    expect(readQuery(query, known)).toMatchObject({ code: 'malformed_request' });
  }
});

test.each(['-1', '1.5', '1e3', '', ' 1', '99', '0x1', '12345678901234567890'])(
  '%j is no integer from 1 to 50',
  (text) => {
    expect(readInteger(new Map([['limit', [text]]]), 'limit', { min: 1, max: 50 })).toMatchObject({
      code: 'malformed_request',
    });
  },
);
