import { expect, test } from 'vitest';
import { reconcile, typeInto } from '#components/changes/draft-book.ts';
import { readStoredDrafts, storeDrafts } from '#components/changes/stored-drafts.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const saved = reconcile(new Map(), [
  { kind: 'objectType', name: 'Message', act: 'add', document: { a: 1 }, base: null, baseRevision: 0, version: 3 },
]);

test('unsaved text comes back after a reload, with the version it was read at', () => {
  const storage = memory();
  const typed = typeInto(saved, { kind: 'objectType', name: 'Message', document: { a: 2 } });
  storeDrafts(storage, 31, typed);
  expect(readStoredDrafts(storage, 31)).toEqual(typed);
  expect(readStoredDrafts(storage, 32).size).toBe(0);
});

test('a choice between two versions is still open after a reload', () => {
  const storage = memory();
  const typed = typeInto(saved, { kind: 'objectType', name: 'Message', document: { a: 2 } });
  const theirs = { kind: 'objectType', name: 'Message', act: 'add', base: null, baseRevision: 0 } as const;
  const clashed = reconcile(typed, [{ ...theirs, document: { a: 3 }, version: 4 }]);
  storeDrafts(storage, 31, clashed);
  const restored = reconcile(readStoredDrafts(storage, 31), [{ ...theirs, document: { a: 3 }, version: 4 }]);
  expect(restored.get('objectType/Message')?.conflicts).toEqual([{ path: 'a', mine: 2, theirs: 3 }]);
});

test('once all is saved nothing is left behind', () => {
  const storage = memory();
  storeDrafts(storage, 31, typeInto(saved, { kind: 'objectType', name: 'Message', document: { a: 2 } }));
  storeDrafts(storage, 31, saved);
  expect(storage.kept.size).toBe(0);
});

test.each(['', '{', '{"a":1}', '[{"kind":"nonsense"}]'])('what cannot be read counts as nothing: %s', (text) => {
  const storage = memory();
  storage.setItem('habitat-change-31', text);
  expect(readStoredDrafts(storage, 31).size).toBe(0);
});
