import { expect, test } from 'vitest';
import { type Draft, type DraftBook, typeInto } from '#components/changes/draft-book.ts';
import { renameDraft } from '#components/changes/rename-draft.ts';

const draftAt = (book: DraftBook, key: string): Draft => {
  const draft = book.get(key);
  if (draft === undefined) throw new Error(`no ${key}`);
  return draft;
};

const add = (book: DraftBook, key: 'objectType' | 'edgeType', name: string, document: Draft['document']): DraftBook =>
  typeInto(book, { kind: key, name, document });

const book = add(
  add(add(new Map(), 'objectType', 'Reaction', { description: 'x' }), 'edgeType', 'reactions', {
    from: 'Message',
    to: 'Reaction',
    inverse: 'reactionOf',
  }),
  'edgeType',
  'reactionOf',
  { from: 'Reaction', to: 'Message' },
);

test('a rename keeps what was typed and its place, and the edges that name the type follow', () => {
  const next = renameDraft(book, draftAt(book, 'objectType/Reaction'), 'Emoji');
  expect([...next.keys()]).toEqual(['objectType/Emoji', 'edgeType/reactions', 'edgeType/reactionOf']);
  expect(draftAt(next, 'objectType/Emoji')).toMatchObject({
    name: 'Emoji',
    document: { description: 'x' },
    version: 0,
  });
  expect(draftAt(next, 'edgeType/reactions').document).toMatchObject({ from: 'Message', to: 'Emoji' });
  expect(draftAt(next, 'edgeType/reactionOf').document).toMatchObject({ from: 'Emoji' });
});

test('an inverse that is renamed stays the inverse', () => {
  const next = renameDraft(book, draftAt(book, 'edgeType/reactionOf'), 'onMessage');
  expect(draftAt(next, 'edgeType/reactions').document).toMatchObject({ inverse: 'onMessage' });
});

test('a rename never swallows another edit, and a published definition keeps its name', () => {
  expect(renameDraft(book, draftAt(book, 'edgeType/reactions'), 'reactionOf')).toBe(book);
  const published = typeInto(book, { ...draftAt(book, 'objectType/Reaction'), base: { description: 'x' } });
  expect(renameDraft(published, draftAt(published, 'objectType/Reaction'), 'Emoji')).toBe(published);
});
