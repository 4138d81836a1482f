import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffDocuments } from '#components/ui/diff-documents.ts';

describe('the diff of two documents', () => {
  it('names each field that differs by its path, newest order first', () => {
    expect(
      diffDocuments(
        { a: 1, cache: { ttlMs: 5, mode: 'off' }, gone: true },
        { a: 1, cache: { ttlMs: 9, mode: 'off' }, added: 'x' },
      ),
    ).toEqual([
      { path: 'cache.ttlMs', before: 5, after: 9 },
      { path: 'added', before: undefined, after: 'x' },
      { path: 'gone', before: true, after: undefined },
    ]);
  });

  it('shows every field of a definition that is new or removed', () => {
    expect(diffDocuments(undefined, { a: 1, b: { c: 2 } })).toEqual([
      { path: 'a', before: undefined, after: 1 },
      { path: 'b.c', before: undefined, after: 2 },
    ]);
    expect(diffDocuments({ a: 1 }, undefined)).toEqual([{ path: 'a', before: 1, after: undefined }]);
  });

  it('knows two lists of objects as equal whatever the order of their keys, and tells them apart otherwise', () => {
    const typed = { tests: [{ principal: 'chat-api', expect: 'deny' }] };
    const stored = { tests: [{ expect: 'deny', principal: 'chat-api' }] };
    expect(diffDocuments(typed, stored)).toEqual([]);
    expect(diffDocuments(typed, { tests: [{ expect: 'allow', principal: 'chat-api' }] })).toHaveLength(1);
    expect(diffDocuments(typed, { tests: [...stored.tests, ...stored.tests] })).toHaveLength(1);
    expect(diffDocuments({ a: [null] }, { a: [{}] })).toHaveLength(1);
  });

  it('finds nothing between equal documents and something between others', () => {
    const document = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(document, (value) => {
        expect(diffDocuments(value, structuredClone(value))).toEqual([]);
      }),
    );
    fc.assert(
      fc.property(document, fc.string(), (value, text) => {
        expect(diffDocuments({ ...value, changed: 1 }, { ...value, changed: [text] })).not.toEqual([]);
      }),
    );
  });
});
