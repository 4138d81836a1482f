import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canSave,
  choose,
  type Draft,
  type DraftBook,
  isDirty,
  markListed,
  markSending,
  reconcile,
  takeEdit,
  typeInto,
} from '#components/changes/draft-book.ts';
import { mergeDocuments } from '#components/changes/merge-documents.ts';
import { type Document, isSame, withValueAt } from '#components/definitions/document.ts';
import type { Edit } from '#server/contract/changes.ts';

const KEY = 'objectType/Message';

const edit = (document: Document | null, version: number): Edit => ({
  kind: 'objectType',
  name: 'Message',
  act: 'add',
  document,
  base: null,
  baseRevision: 0,
  version,
});

const draftOf = (book: DraftBook): Draft => {
  const draft = book.get(KEY);
  if (draft === undefined) throw new Error('the draft is gone');
  return draft;
};

const typed = (book: DraftBook, document: Document): DraftBook => typeInto(book, { ...draftOf(book), document });

const opened = reconcile(new Map(), [edit({ maxBytes: 1, description: 'a' }, 1)]);

test('what was typed and comes back from the server with its keys in another order is no edit of somebody else', () => {
  const mine = { tests: [{ principal: 'chat-api', expect: 'deny' }] };
  const stored = { tests: [{ expect: 'deny', principal: 'chat-api' }] };
  const sent = markSending(typed(opened, mine), KEY);
  const more = typed(sent, { ...mine, description: 'typed meanwhile' });
  const draft = draftOf(reconcile(more, [edit(stored, 2)]));
  expect([draft.conflicts, draft.version]).toEqual([[], 2]);
  expect(draft.document).toMatchObject({ description: 'typed meanwhile' });
});

test('what was typed and taken back while its save was on the way stays taken back, and is saved', () => {
  const before = { maxBytes: 1, description: 'a' };
  const sent = markSending(typed(opened, { ...before, maxBytes: 2 }), KEY);
  const back = typed(sent, before);
  // A list that was asked for before the save may come first.
  for (const book of [back, reconcile(back, [edit(before, 1)])]) {
    const draft = draftOf(takeEdit(book, edit({ ...before, maxBytes: 2 }, 2)));
    expect(draft).toMatchObject({ document: before, saved: { maxBytes: 2 }, version: 2, conflicts: [] });
    expect(canSave(draft)).toBe(true);
  }
});

test('a page without unsaved text takes whatever the server has', () => {
  const book = reconcile(opened, [edit({ maxBytes: 2 }, 2)]);
  expect(draftOf(book)).toMatchObject({ document: { maxBytes: 2 }, version: 2 });
  expect(reconcile(book, []).size).toBe(0);
});

test('unsaved text survives a refresh of the same version', () => {
  const book = reconcile(typed(opened, { maxBytes: 64, description: 'a' }), [
    edit({ maxBytes: 1, description: 'a' }, 1),
  ]);
  expect(draftOf(book).document).toEqual({ maxBytes: 64, description: 'a' });
  expect(canSave(draftOf(book))).toBe(true);
});

test('two people in different fields: both changes stand, and the next save names the newer version', () => {
  const book = reconcile(typed(opened, { maxBytes: 64, description: 'a' }), [
    edit({ maxBytes: 1, description: 'b' }, 2),
  ]);
  expect(draftOf(book)).toMatchObject({ document: { maxBytes: 64, description: 'b' }, version: 2, conflicts: [] });
  expect(canSave(draftOf(book))).toBe(true);
});

test('two people in one field: the second sees the comparison, and nothing is saved before a choice', () => {
  const book = reconcile(typed(opened, { maxBytes: 64, description: 'a' }), [
    edit({ maxBytes: 128, description: 'a' }, 2),
  ]);
  expect(draftOf(book).conflicts).toEqual([{ path: 'maxBytes', mine: 64, theirs: 128 }]);
  expect(canSave(draftOf(book))).toBe(false);
  const mine = draftOf(choose(book, KEY, { path: 'maxBytes', side: 'mine' }));
  expect(mine).toMatchObject({ document: { maxBytes: 64, description: 'a' }, conflicts: [] });
  expect(canSave(mine)).toBe(true);
  const theirs = draftOf(choose(book, KEY, { path: 'maxBytes', side: 'theirs' }));
  expect(theirs.document).toEqual({ maxBytes: 128, description: 'a' });
  expect(isDirty(theirs)).toBe(false);
});

test('a removal against an edit is one choice over the whole document', () => {
  const book = reconcile(typed(opened, { maxBytes: 64 }), [edit(null, 2)]);
  expect(draftOf(book).conflicts).toEqual([{ path: '', mine: { maxBytes: 64 }, theirs: null }]);
  expect(draftOf(choose(book, KEY, { path: '', side: 'theirs' })).document).toBeNull();
});

test('text typed while a save was on its way stays, and the return of our own save is no conflict', () => {
  const sent = markSending(typed(opened, { maxBytes: 6, description: 'a' }), KEY);
  const later = typed(sent, { maxBytes: 64, description: 'a' });
  const book = takeEdit(later, edit({ maxBytes: 6, description: 'a' }, 2));
  expect(draftOf(book)).toMatchObject({ document: { maxBytes: 64, description: 'a' }, version: 2, conflicts: [] });
  expect(canSave(draftOf(book))).toBe(true);
  const others = takeEdit(book, edit({ maxBytes: 6, description: 'theirs' }, 3));
  expect(draftOf(others)).toMatchObject({ document: { maxBytes: 64, description: 'theirs' }, conflicts: [] });
});

test('a reply that is older than the last save changes nothing', () => {
  const sent = markSending(typed(opened, { maxBytes: 6 }), KEY);
  const saved = takeEdit(sent, edit({ maxBytes: 6 }, 2));
  expect(isDirty(draftOf(saved))).toBe(false);
  expect(draftOf(reconcile(saved, [edit({ maxBytes: 1, description: 'a' }, 1)]))).toEqual(draftOf(saved));
});

test('unsaved text of an edit that somebody took out is kept as an orphan and not saved by itself', () => {
  const book = reconcile(typed(opened, { maxBytes: 64 }), []);
  expect(draftOf(book)).toMatchObject({ document: { maxBytes: 64 }, isOrphan: true });
  expect(canSave(draftOf(book))).toBe(false);
});

test('an edit that was just saved is no orphan because an older list does not hold it yet', () => {
  const begun = markSending(typeInto(new Map(), { kind: 'objectType', name: 'Message', document: { a: 1 } }), KEY);
  const saved = takeEdit(begun, edit({ a: 1 }, 1));
  expect(draftOf(reconcile(saved, []))).toMatchObject({ version: 1, isOrphan: false });
  const later = typed(saved, { a: 2 });
  expect(canSave(draftOf(reconcile(later, [])))).toBe(true);
  const listed = reconcile(later, [edit({ a: 1 }, 1)]);
  expect(draftOf(reconcile(listed, [])).isOrphan).toBe(true);
  expect(draftOf(reconcile(markListed(later, KEY), [])).isOrphan).toBe(true);
});

test('edits stand in one order whatever order they were saved in', () => {
  const of = (kind: Edit['kind'], name: string): Edit => ({ ...edit({}, 1), kind, name });
  const edits = [of('edgeType', 'reactions'), of('objectType', 'Reaction'), of('edgeType', 'reactionOf')];
  const order = ['objectType/Reaction', 'edgeType/reactionOf', 'edgeType/reactions'];
  expect([...reconcile(new Map(), edits).keys()]).toEqual(order);
  expect([...reconcile(new Map(), edits.toReversed()).keys()]).toEqual(order);
});

test('an edit that the server has never seen survives every refresh', () => {
  const book = typeInto(new Map(), { kind: 'objectType', name: 'Message', document: {} });
  expect(draftOf(reconcile(book, []))).toMatchObject({ version: 0, isOrphan: false });
});

const leaf = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b'));
const document = fc.record(
  {
    a: leaf,
    b: leaf,
    audit: fc.record({ reads: leaf, writes: leaf }, { requiredKeys: [] }),
    groups: fc.array(leaf, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

test('a merge loses nobody: each field stands as the one who changed it set it, or is a conflict', () => {
  fc.assert(
    fc.property(document, document, document, (read, mine, theirs) => {
      const merge = mergeDocuments(read, mine, theirs);
      const swapped = mergeDocuments(read, theirs, mine);
      expect(merge.conflicts.map((each) => each.path).sort()).toEqual(
        swapped.conflicts.map((each) => each.path).sort(),
      );
      if (merge.conflicts.length === 0) expect(isSame(merge.document, swapped.document)).toBe(true);
      for (const { path, mine: my, theirs: their } of merge.conflicts) expect(isSame(my, their), path).toBe(false);
    }),
  );
});

test('a merge with somebody who changed nothing is what I typed', () => {
  fc.assert(
    fc.property(document, document, (read, mine) => {
      expect(isSame(mergeDocuments(read, mine, read).document, mine)).toBe(true);
      expect(isSame(mergeDocuments(read, read, mine).document, mine)).toBe(true);
    }),
  );
});

test('setting one field leaves the document it came from alone', () => {
  const before = { audit: { reads: 'none', writes: 'all' } };
  expect(withValueAt(before, 'audit.reads', 'all')).toEqual({ audit: { reads: 'all', writes: 'all' } });
  expect(withValueAt(before, 'audit.reads', undefined)).toEqual({ audit: { writes: 'all' } });
  expect(before).toEqual({ audit: { reads: 'none', writes: 'all' } });
});
