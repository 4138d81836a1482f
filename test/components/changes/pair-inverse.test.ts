import { expect, test } from 'vitest';
import { type Draft, type DraftBook, typeInto } from '#components/changes/draft-book.ts';
import { newDocument } from '#components/changes/new-document.ts';
import { followForward, forwardOf, setInverse } from '#components/changes/pair-inverse.ts';
import { EdgeTypeDocument } from '#gateway/contract/definitions/edge-type.ts';

const document = {
  ...newDocument('edgeType', 'chat'),
  description: 'Messages of it.',
  from: 'Conversation',
  to: 'Message',
};
const start = typeInto(new Map(), { kind: 'edgeType', name: 'messages', document });

const edge = (book: DraftBook, name: string): Draft => {
  const draft = book.get(`edgeType/${name}`);
  if (draft === undefined) throw new Error(`no ${name}`);
  return draft;
};

test('naming an inverse adds it to the change: ends swapped, many, no inverse of its own, valid as it is', () => {
  const book = setInverse(start, edge(start, 'messages'), 'inConversation');
  expect(edge(book, 'messages').document).toMatchObject({ inverse: 'inConversation' });
  const inverse = EdgeTypeDocument.parse(JSON.parse(JSON.stringify(edge(book, 'inConversation').document)));
  expect(inverse).toMatchObject({ from: 'Message', to: 'Conversation', cardinality: 'many', ownerTeam: 'chat' });
  expect(inverse.inverse).toBeUndefined();
  expect(forwardOf(book, 'inConversation')?.name).toBe('messages');
});

test('renaming the inverse leaves no second one behind and keeps what was written in it', () => {
  const named = setInverse(start, edge(start, 'messages'), 'inConv');
  const described = typeInto(named, {
    ...edge(named, 'inConv'),
    document: { ...edge(named, 'inConv').document, description: 'Where it was said.' },
  });
  const book = setInverse(described, edge(described, 'messages'), 'inConversation');
  expect([...book.keys()]).toEqual(['edgeType/messages', 'edgeType/inConversation']);
  expect(edge(book, 'inConversation').document).toMatchObject({ description: 'Where it was said.' });
});

test('taking the inverse away removes it from the change', () => {
  const named = setInverse(start, edge(start, 'messages'), 'inConversation');
  const book = setInverse(named, edge(named, 'messages'), '');
  expect([...book.keys()]).toEqual(['edgeType/messages']);
  expect(edge(book, 'messages').document).not.toHaveProperty('inverse');
});

test('an unpublished inverse follows the ends, the owner and the audit of its forward edge type', () => {
  const named = setInverse(start, edge(start, 'messages'), 'inConversation');
  const moved = typeInto(named, {
    ...edge(named, 'messages'),
    document: { ...edge(named, 'messages').document, to: 'Note', ownerTeam: 'notes' },
  });
  const book = followForward(moved, edge(moved, 'messages'));
  expect(edge(book, 'inConversation').document).toMatchObject({ from: 'Note', to: 'Conversation', ownerTeam: 'notes' });
});

test('a published inverse is never rewritten by its forward edge type', () => {
  const published = { ...newDocument('edgeType', 'chat'), from: 'Message', to: 'Conversation' };
  const both = typeInto(start, {
    kind: 'edgeType',
    name: 'inConversation',
    document: published,
    base: published,
    version: 1,
  });
  const named = setInverse(both, edge(both, 'messages'), 'inConversation');
  expect(edge(named, 'inConversation').document).toBe(published);
  expect(followForward(named, edge(named, 'messages'))).toBe(named);
  const without = setInverse(named, edge(named, 'messages'), '');
  expect(edge(without, 'inConversation').document).toBe(published);
});
