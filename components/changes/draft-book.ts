import { type Document, isSame, withValueAt } from '#components/definitions/document.ts';
import { DEFINITION_KINDS, type DefinitionKind } from '#gateway/contract/definitions/definition.ts';
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
  /** What was last sent and has not come back yet. */
  readonly sending: { readonly document: Document | null } | undefined;
  /** The server's list held it since its last save, so that its absence from a list means that it is gone. */
  readonly isListed: boolean;
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
    next.set(key, { ...take(book.get(key), edit), isListed: true });
  }
  for (const [key, draft] of book) {
    if (next.has(key)) continue;
    if (draft.version === 0 || !draft.isListed) next.set(key, draft);
    else if (isDirty(draft)) next.set(key, { ...draft, isOrphan: true });
  }
  return new Map([...next].sort(([, a], [, b]) => inOrder(a, b)));
}

/** Sets what was typed. A draft that does not exist yet begins unsaved. */
export function typeInto(
  book: DraftBook,
  draft: Pick<Draft, 'kind' | 'name' | 'document'> & Partial<Draft>,
): DraftBook {
  const key = draftKey(draft.kind, draft.name);
  const before = book.get(key) ?? EMPTY;
  return new Map(book).set(key, { ...before, ...draft });
}

/** Notes what is on its way to the server, so that its return is known as our own and not as somebody else's edit. */
export function markSending(book: DraftBook, key: string): DraftBook {
  const draft = book.get(key);
  if (draft === undefined) return book;
  return new Map(book).set(key, { ...draft, sending: { document: draft.document } });
}

/** The server refused a save because of another version: from now on its list says whether the edit is still there. */
export function markListed(book: DraftBook, key: string): DraftBook {
  const draft = book.get(key);
  return draft === undefined ? book : new Map(book).set(key, { ...draft, isListed: true });
}

/** Takes in one edit as the server answered it; a list that was asked for before that may not hold it yet. */
export function takeEdit(book: DraftBook, edit: Edit): DraftBook {
  const key = draftKey(edit.kind, edit.name);
  return new Map(book).set(key, take(book.get(key), edit));
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

const EMPTY = {
  saved: null,
  base: null,
  version: 0,
  conflicts: [],
  sending: undefined,
  isListed: false,
  isOrphan: false,
} as const;

/** Object types before the edge types that name them, and so on; by name within a kind. */
function inOrder(a: Draft, b: Draft): number {
  const byKind = DEFINITION_KINDS.indexOf(a.kind) - DEFINITION_KINDS.indexOf(b.kind);
  return byKind !== 0 ? byKind : a.name < b.name ? -1 : 1;
}

function take(draft: Draft | undefined, edit: Edit): Draft {
  const { kind, name, document, base, version } = edit;
  const fresh: Draft = { ...EMPTY, kind, name, document, saved: document, base, version };
  if (draft === undefined) return fresh;
  // A reply that left the server before our last save must not bring the older text back.
  if (version < draft.version) return draft;
  if (version === draft.version) return { ...draft, base, isOrphan: false };
  // Also when what was sent has been taken back since: that is to be saved then.
  const isOurs = draft.sending !== undefined && isSame(document, draft.sending.document);
  if (isOurs) return { ...draft, saved: document, base, version, sending: undefined, isOrphan: false };
  if (!isDirty(draft)) return fresh;
  const merge = mergeDocuments(draft.saved, draft.document, document);
  return { ...fresh, document: merge.document, conflicts: merge.conflicts };
}
