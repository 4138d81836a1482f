import { expect, test } from 'vitest';
import { actionsInSentence, actionsWords } from '#components/registry/actions-words.ts';
import { limitsOf } from '#components/registry/limits-of.ts';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { ERRORS } from '#gateway/contract/errors.ts';

const audit = { reads: 'none', writes: 'all' };
const message = Definition.parse({
  kind: 'objectType',
  name: 'Message',
  document: { ownerTeam: 'chat', description: 'One.', classification: 'internal', maxBytes: 65_536, audit },
});
const latest = Definition.parse({
  kind: 'edgeType',
  name: 'latest',
  document: {
    ownerTeam: 'chat',
    description: 'The newest.',
    from: 'Conversation',
    to: 'Message',
    cardinality: 'one',
    listCap: 50,
    maxEdges: 1_000,
    dataMaxBytes: 0,
    audit,
  },
});

test('the walls of a type are those of its document and of the contract, with codes that exist', () => {
  expect(limitsOf(message)[0]).toEqual({
    what: 'Content of an object',
    now: '64\u00a0KB',
    most: '1.3\u00a0MB',
    code: 'content_too_large',
  });
  for (const limit of [...limitsOf(message), ...limitsOf(latest)]) {
    if (limit.code !== undefined) expect(ERRORS).toHaveProperty(limit.code);
  }
});

test('cardinality one is a wall of one edge whatever maxEdges says', () => {
  expect(limitsOf(latest)[0]).toMatchObject({ what: 'Edges of one object', now: '1' });
  expect(limitsOf(latest)[1]).toMatchObject({ what: 'Data of an edge', now: 'none' });
});

test('actions read as verbs, in one order and each once', () => {
  expect(actionsWords(['edge.delete', 'object.write', 'object.read', 'edge.read'])).toBe('read, write, delete');
  expect(actionsInSentence(['object.delete', 'object.read', 'object.write'])).toBe('read, write and delete');
});
