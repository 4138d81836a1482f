import { type Leaf, leafOf } from './leaf.ts';
import { ReleaseRejected } from './release-rejected.ts';
import { hashOf, TABLE_KINDS, type TableKind, WORDS_A_KIND, WORDS_AN_ENTRY } from './table.ts';

/**
 * Lays the items of a release out as a table (layout in table.ts). The text of a leaf is copied whole, so that a release
 * of 10 MB takes some tens of milliseconds once its leaves are read. Throws `ReleaseRejected` when two items of a kind
 * have one name.
 */
export function buildTable(leaves: readonly Leaf[]): SharedArrayBuffer {
  const byKind = Map.groupBy([...leaves, mirroredLeaf(leaves)], ({ kind }) => kind);
  const parts = TABLE_KINDS.map((kind) => partOf(kind, byKind.get(kind) ?? []));
  const words = parts.reduce((sum, part) => sum + part.words, TABLE_KINDS.length * WORDS_A_KIND);
  const size = parts.reduce((sum, part) => sum + part.names.length + part.texts, words * 4);
  const shared = new SharedArrayBuffer(Math.ceil(size / 4) * 4);
  const table: Unfinished = { words: new Int32Array(shared), bytes: Buffer.from(shared), word: 0, byte: words * 4 };
  table.word = TABLE_KINDS.length * WORDS_A_KIND;
  for (const [at, part] of parts.entries()) writePart(table, part, at * WORDS_A_KIND);
  return shared;
}

interface Part {
  readonly kind: TableKind;
  readonly leaves: readonly Leaf[];
  readonly count: number;
  readonly slots: number;
  readonly words: number;
  /** All names, one behind the other. */
  readonly names: Buffer;
  /** Bytes of all texts. */
  readonly texts: number;
}

function partOf(kind: TableKind, leaves: readonly Leaf[]): Part {
  const names = leaves.flatMap((leaf) => leaf.names);
  const slots = slotsFor(names.length);
  return {
    ...{ kind, leaves, count: names.length, slots, words: names.length * WORDS_AN_ENTRY + slots },
    names: Buffer.from(names.join('')),
    texts: leaves.reduce((sum, { text }) => sum + text.length, 0),
  };
}

/** A power of two, at least twice the items, so that a search meets few taken slots and always a free one. */
function slotsFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, count) * 2));
}

interface Unfinished {
  readonly words: Int32Array;
  readonly bytes: Buffer;
  /** Where the next word and the next byte go. */
  word: number;
  byte: number;
}

function writePart(table: Unfinished, part: Part, head: number): void {
  const { words, bytes } = table;
  const firstEntry = table.word;
  const firstSlot = firstEntry + part.count * WORDS_AN_ENTRY;
  words.set([part.count, firstEntry, part.slots - 1, firstSlot], head);
  let nameAt = table.byte;
  let textAt = nameAt + part.names.copy(bytes, nameAt);
  let entry = 0;
  for (const { names, text, ends } of part.leaves) {
    text.copy(bytes, textAt);
    for (const [at, name] of names.entries()) {
      const nameLength = Buffer.byteLength(name);
      const from = at === 0 ? 0 : (ends[at - 1] ?? 0);
      const place = firstEntry + entry * WORDS_AN_ENTRY;
      words.set([nameAt, nameLength, textAt + from, (ends[at] ?? 0) - from], place);
      takeSlot({ table, part, firstEntry, firstSlot }, { name, entry });
      nameAt += nameLength;
      entry += 1;
    }
    textAt += text.length;
  }
  table.word = firstSlot + part.slots;
  table.byte = textAt;
}

interface Writing {
  readonly table: Unfinished;
  readonly part: Part;
  readonly firstEntry: number;
  readonly firstSlot: number;
}

function takeSlot(
  { table: { words, bytes }, part, firstEntry, firstSlot }: Writing,
  { name, entry }: { readonly name: string; readonly entry: number },
): void {
  const mask = part.slots - 1;
  let at = hashOf(name) & mask;
  for (let taken = words[firstSlot + at] ?? 0; taken !== 0; taken = words[firstSlot + at] ?? 0) {
    const place = firstEntry + (taken - 1) * WORDS_AN_ENTRY;
    const from = words[place] ?? 0;
    if (bytes.toString('utf8', from, from + (words[place + 1] ?? 0)) === name) {
      throw new ReleaseRejected(`The release has two items of kind ${part.kind} with the name ${name}.`);
    }
    at = (at + 1) & mask;
  }
  words[firstSlot + at] = entry + 1;
}

/** For each object type the names of its edge types that have an inverse or are one. */
function mirroredLeaf(leaves: readonly Leaf[]): Leaf {
  const byType = Map.groupBy(
    leaves.flatMap(({ mirrored }) => mirrored),
    ({ from }) => from,
  );
  return leafOf(
    'mirrored',
    [...byType].map(([name, found]) => ({ name, text: JSON.stringify(found.map(({ edgeType }) => edgeType).sort()) })),
  );
}
