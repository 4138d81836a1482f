import { SECTION_SCHEMAS, type SectionKind } from '#gateway/contract/release.ts';
import { ReleaseRejected } from './release-rejected.ts';
import type { TableKind } from './table.ts';

/** The items of a section, or of one part of a large one, checked and as a table takes them. */
export interface Leaf {
  readonly kind: TableKind;
  readonly names: readonly string[];
  /** The JSON of all items, one behind the other. */
  readonly text: Buffer;
  /** Where the text of each item ends. */
  readonly ends: readonly number[];
  /** Edge types with an inverse, or that are one, with the object type they start from. */
  readonly mirrored: readonly { readonly from: string; readonly edgeType: string }[];
}

/** Parses a section's bytes by the schema of its kind. Throws `ReleaseRejected`. */
export function readLeaf(kind: SectionKind, bytes: Buffer): Leaf {
  const section = SECTION_SCHEMAS[kind].safeParse(parsed(kind, bytes));
  if (!section.success) {
    const [issue] = section.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw new ReleaseRejected(`Section ${kind} cannot be read at ${where}: ${issue?.message ?? 'unknown shape'}.`);
  }
  const items: readonly object[] = section.data.items;
  return {
    ...leafOf(
      kind,
      items.map((item) => ({ name: nameOf(item), text: JSON.stringify(item) })),
    ),
    mirrored: items.flatMap(mirroredOf),
  };
}

/** A leaf of texts that this process made. */
export function leafOf(kind: TableKind, items: readonly { readonly name: string; readonly text: string }[]): Leaf {
  let end = 0;
  const ends = items.map(({ text }) => {
    end += Buffer.byteLength(text);
    return end;
  });
  const text = Buffer.from(items.map((item) => item.text).join(''));
  return { kind, names: items.map(({ name }) => name), text, ends, mirrored: [] };
}

function parsed(kind: SectionKind, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ReleaseRejected(`The section ${kind} is not JSON.`);
  }
}

/** Definitions go by their name, keys by their id, probes by what they are. */
function nameOf(item: object): string {
  if ('name' in item) return String(item.name);
  return 'id' in item ? String(item.id) : JSON.stringify(item);
}

function mirroredOf(item: object): Leaf['mirrored'] {
  if (!('from' in item) || !('name' in item) || !('inverse' in item || 'derivedFrom' in item)) return [];
  return [{ from: String(item.from), edgeType: String(item.name) }];
}
