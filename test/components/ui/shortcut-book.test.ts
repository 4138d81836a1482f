import { describe, expect, it } from 'vitest';
import { keyName, ShortcutBook } from '#components/ui/shortcut-book.ts';

const shortcut = (keys: string, label = keys) => ({ keys, label, run: () => undefined });

describe('keys of a page', () => {
  it('takes two keys as a sequence when they follow each other soon', () => {
    const book = new ShortcutBook();
    book.add([shortcut('g l'), shortcut('g a')]);
    expect(book.press('g', 0)).toBeUndefined();
    expect(book.press('a', 500)?.keys).toBe('g a');
  });

  it('forgets the first key after a while, and after another key', () => {
    const book = new ShortcutBook();
    book.add([shortcut('g l'), shortcut('n')]);
    book.press('g', 0);
    expect(book.press('l', 5000)).toBeUndefined();
    book.press('g', 6000);
    expect(book.press('n', 6100)?.keys).toBe('n');
    expect(book.press('l', 6200)).toBeUndefined();
  });

  it('lets the newest registration win and gives the key back when that part leaves', () => {
    const book = new ShortcutBook();
    book.add([shortcut('n', 'New change')]);
    const leave = book.add([shortcut('n', 'Add an edit')]);
    expect(book.press('n', 0)?.label).toBe('Add an edit');
    leave();
    expect(book.press('n', 0)?.label).toBe('New change');
  });

  it('names keys as they are written, with ⌘ and Ctrl alike', () => {
    const key = (name: string, held: Partial<Record<'metaKey' | 'ctrlKey', boolean>> = {}) =>
      keyName({ key: name, metaKey: false, ctrlKey: false, ...held });
    expect([
      key('K', { metaKey: true }),
      key('k', { ctrlKey: true }),
      key('?'),
      key(' '),
      key('Enter', { metaKey: true }),
    ]).toEqual(['mod+k', 'mod+k', '?', 'space', 'mod+enter']);
  });
});
