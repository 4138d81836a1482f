import 'server-only';
import { createHash } from 'node:crypto';
import { Sha256Hex } from '#gateway/contract/ids.ts';
import { canonicalJson, type SectionKind } from '#gateway/contract/release.ts';

export interface BuiltSection {
  readonly kind: SectionKind;
  readonly sha256: Sha256Hex;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** A section as its root, which the header names, and everything below it. */
export interface SplitSection {
  readonly root: BuiltSection;
  readonly below: readonly BuiltSection[];
  /** Bytes of the items, all parts together. */
  readonly bytes: number;
}

/** What one part holds at most, unless it is a single item. */
export const MAX_PART_BYTES = 16_000;

interface Item {
  readonly value: object;
  readonly json: string;
  readonly bytes: number;
}

/** An item with the hash of its name in hex; a digit for each level says in which part it lies. */
interface PlacedItem extends Item {
  readonly place: string;
}

/**
 * A section in parts of at most `maxPartBytes`: a section that is larger becomes sixteen by the first digit of the hash of
 * each item's name, those that are still larger by the second, and so on. Where an item lies depends on its name alone, so a
 * release that changes one item makes one new part and the few lists above it; all others keep their hashes. A section
 * that is small enough is its items, as in format 1.
 */
export function splitSection(
  kind: SectionKind,
  items: readonly object[],
  maxPartBytes: number = MAX_PART_BYTES,
): SplitSection {
  const all = items.map((value) => {
    const json = canonicalJson(value);
    return { value, json, bytes: Buffer.byteLength(json) };
  });
  if (fits(all, maxPartBytes)) return whole(kind, all);
  return splitItems(
    all.map((item) => ({ ...item, place: placeOf(item.value) })),
    { kind, maxPartBytes, level: 0 },
  );
}

interface Within {
  readonly kind: SectionKind;
  readonly maxPartBytes: number;
  readonly level: number;
}

function splitItems(items: readonly PlacedItem[], within: Within): SplitSection {
  const { kind, maxPartBytes, level } = within;
  if (fits(items, maxPartBytes) || level === DIGITS) return whole(kind, items);
  const byDigit = Map.groupBy(items, ({ place }) => place.charAt(level));
  const parts = [...byDigit]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, some]) => splitItems(some, { ...within, level: level + 1 }));
  return {
    root: sectionOf(kind, canonicalJson({ parts: parts.map(({ root }) => root.sha256) })),
    below: parts.flatMap(({ root, below }) => [root, ...below]),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function fits(items: readonly Item[], maxPartBytes: number): boolean {
  return items.length <= 1 || items.reduce((sum, { bytes }) => sum + bytes, 0) <= maxPartBytes;
}

function whole(kind: SectionKind, items: readonly Item[]): SplitSection {
  const root = sectionOf(kind, `{"items":[${items.map(({ json }) => json).join(',')}]}`);
  return { root, below: [], bytes: root.content.length };
}

/** Digits of a SHA-256 in hex. */
const DIGITS = 64;

/** Items go by their name, keys by their id, probes by what they are. */
function placeOf(item: object): string {
  const name = 'name' in item ? item.name : 'id' in item ? item.id : canonicalJson(item);
  return createHash('sha256').update(String(name)).digest('hex');
}

function sectionOf(kind: SectionKind, text: string): BuiltSection {
  const content = new TextEncoder().encode(text);
  return { kind, sha256: sha256Of(content), content };
}

export function sha256Of(bytes: Uint8Array): Sha256Hex {
  return Sha256Hex.parse(createHash('sha256').update(bytes).digest('hex'));
}
