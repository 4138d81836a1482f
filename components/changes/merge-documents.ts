import { type Document, isSame, valueAt, withValueAt } from '#components/definitions/document.ts';
import { diffDocuments } from '#components/ui/diff-documents.ts';

/** A field that two people set to different values since they read the same document. */
export interface FieldConflict {
  readonly path: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merge {
  /** Theirs, with every field that only I changed as I set it; fields in conflict stand as I typed them. */
  readonly document: Document | null;
  readonly conflicts: readonly FieldConflict[];
}

/**
 * Three-way merge by field: what one side alone changed is taken from that side, what both set alike is taken once, and
 * what both set differently is a conflict. A removal against an edit is one conflict of the whole, path ''.
 */
export function mergeDocuments(read: Document | null, mine: Document | null, theirs: Document | null): Merge {
  if (isSame(mine, theirs)) return { document: theirs, conflicts: [] };
  if (isSame(read, mine)) return { document: theirs, conflicts: [] };
  if (isSame(read, theirs)) return { document: mine, conflicts: [] };
  if (mine === null || theirs === null) return { document: mine, conflicts: [{ path: '', mine, theirs }] };
  let document: Document = theirs;
  const conflicts: FieldConflict[] = [];
  for (const field of diffDocuments(read ?? undefined, mine)) {
    const their = valueAt(theirs, field.path);
    document = withValueAt(document, field.path, field.after);
    const bothChanged = !isSame(their, field.before) && !isSame(their, field.after);
    if (bothChanged) conflicts.push({ path: field.path, mine: field.after, theirs: their });
  }
  return { document, conflicts };
}
