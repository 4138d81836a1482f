import { SECTION_KINDS } from '#gateway/contract/release.ts';

/** What a table can be asked for: the items of every section, and for an object type its edge types with an inverse. */
export const TABLE_KINDS = [...SECTION_KINDS, 'mirrored'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/**
 * A release as flat bytes that all threads share. Opening one costs the same whatever its size; an item is found by the
 * hash of its name and is JSON of some hundred bytes, parsed by who needs it. What is in it was verified by the thread
 * that built it.
 *
 * Layout: words of 32 bits in the machine's order, then bytes. Per kind four words `{count, first entry, slots − 1, first
 * slot}`; an entry is four words `{name at, name length, text at, text length}` in bytes from the start; a slot is one
 * word, the number of its entry plus one or zero, and a name that meets a taken slot lies in the next free one.
 */
export interface Table {
  count(kind: TableKind): number;
  /** Number of the item of this name, −1 when there is none. */
  find(kind: TableKind, name: string): number;
  name(kind: TableKind, at: number): string;
  /** The item's JSON. */
  text(kind: TableKind, at: number): string;
}

export const WORDS_A_KIND = 4;
export const WORDS_AN_ENTRY = 4;

export function openTable(shared: SharedArrayBuffer): Table {
  const words = new Int32Array(shared, 0, shared.byteLength >> 2);
  const bytes = Buffer.from(shared);
  const word = (at: number) => words[at] ?? 0;
  const headOf = (kind: TableKind) => TABLE_KINDS.indexOf(kind) * WORDS_A_KIND;
  const slice = (kind: TableKind, at: number, field: 0 | 2) => {
    const entry = word(headOf(kind) + 1) + at * WORDS_AN_ENTRY + field;
    const from = word(entry);
    return bytes.toString('utf8', from, from + word(entry + 1));
  };
  return {
    count: (kind) => word(headOf(kind)),
    find: (kind, name) => {
      const head = headOf(kind);
      const mask = word(head + 2);
      const slots = word(head + 3);
      for (let at = hashOf(name) & mask; ; at = (at + 1) & mask) {
        const entry = word(slots + at);
        if (entry === 0) return -1;
        if (slice(kind, entry - 1, 0) === name) return entry - 1;
      }
    },
    name: (kind, at) => slice(kind, at, 0),
    text: (kind, at) => slice(kind, at, 2),
  };
}

/** FNV-1a over the code units of a name (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
