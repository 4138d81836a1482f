import { type Document, isSame, withValueAt } from '#components/definitions/document.ts';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { Edit } from '#server/contract/changes.ts';
import { type FieldConflict, mergeDocuments } from './merge-documents.ts';

/** One edit of a change as this page holds it: what was typed, and what the server had when it was last read. */
export interface Draft {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** As typed; null removes the definition. */
  readonly document: Document | null;
  /** As the server had it at `version`. */
  readonly saved: Document | null;
  /** The published document it started from; null when the definition is new. */
  readonly base: Document | null;
  /** 0 until the server has it. */
  readonly version: number;
  /** Fields that somebody else set otherwise meanwhile; nothing is saved until each is chosen. */
  readonly conflicts: readonly FieldConflict[];
  /** Somebody took the edit out of the change while this page held unsaved text. */
  readonly isOrphan: boolean;
}

/** The edits of a change by `kind/name`, in their order. */
export type DraftBook = ReadonlyMap<string, Draft>;

export const draftKey = (kind: DefinitionKind, name: string): string => `${kind}/${name}`;

export const isDirty = (draft: Draft): boolean => draft.version === 0 || !isSame(draft.document, draft.saved);

/** Unsaved, and nothing has to be chosen before it can be saved. */
export const canSave = (draft: Draft): boolean => isDirty(draft) && draft.conflicts.length === 0 && !draft.isOrphan;

/** What a draft does to the published definitions. */
export const actOf = (draft: Draft): Edit['act'] =>
  draft.document === null ? 'remove' : draft.base === null ? 'add' : 'edit';

/**
 * Takes in what the server has now. What was typed here and not saved survives: merged by field when another version
 * came in between, kept as an orphan when the edit is gone.
 */
export function reconcile(book: DraftBook, edits: readonly Edit[]): DraftBook {
  const next = new Map<string, Draft>();
  for (const edit of edits) {
    const key = draftKey(edit.kind, edit.name);
    next.set(key, take(book.get(key), edit));
  }
  for (const [key, draft] of book) {
    if (next.has(key)) continue;
    if (draft.version === 0) next.set(key, draft);
    else if (isDirty(draft)) next.set(key, { ...draft, isOrphan: true });
  }
  return next;
}

/** Sets what was typed. A draft that does not exist yet begins unsaved. */
export function typeInto(
  book: DraftBook,
  draft: Pick<Draft, 'kind' | 'name' | 'document'> & Partial<Draft>,
): DraftBook {
  const key = draftKey(draft.kind, draft.name);
  const before = book.get(key) ?? { saved: null, base: null, version: 0, conflicts: [], isOrphan: false };
  return new Map(book).set(key, { ...before, ...draft });
}

/** The server kept `document` as `version`; what was typed since then stays unsaved. */
export function markSaved(
  book: DraftBook,
  key: string,
  saved: { document: Document | null; version: number },
): DraftBook {
  const draft = book.get(key);
  if (draft === undefined || saved.version < draft.version) return book;
  return new Map(book).set(key, { ...draft, saved: saved.document, version: saved.version, isOrphan: false });
}

/** Settles one conflict by taking a side; '' settles the whole document. */
export function choose(book: DraftBook, key: string, choice: { path: string; side: 'mine' | 'theirs' }): DraftBook {
  const draft = book.get(key);
  const conflict = draft?.conflicts.find((each) => each.path === choice.path);
  if (draft === undefined || conflict === undefined) return book;
  const value = choice.side === 'mine' ? conflict.mine : conflict.theirs;
  const document =
    choice.path === '' ? (value as Document | null) : withValueAt(draft.document ?? {}, choice.path, value);
  const conflicts = draft.conflicts.filter((each) => each !== conflict);
  return new Map(book).set(key, { ...draft, document, conflicts });
}

/** Without one edit. */
export function drop(book: DraftBook, key: string): DraftBook {
  return new Map([...book].filter(([each]) => each !== key));
}

function take(draft: Draft | undefined, edit: Edit): Draft {
  const fresh: Draft = {
    kind: edit.kind,
    name: edit.name,
    document: edit.document,
    saved: edit.document,
    base: edit.base,
    version: edit.version,
    conflicts: [],
    isOrphan: false,
  };
  if (draft === undefined || !isDirty(draft))
    return draft !== undefined && draft.version > edit.version ? draft : fresh;
  // A reply that left the server before our last save must not bring the older text back.
  if (edit.version < draft.version) return draft;
  if (edit.version === draft.version) return { ...draft, base: edit.base, isOrphan: false };
  const merge = mergeDocuments(draft.saved, draft.document, edit.document);
  return { ...fresh, document: merge.document, conflicts: merge.conflicts };
}
