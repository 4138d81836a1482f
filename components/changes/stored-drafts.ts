import { z } from 'zod';
import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { type DraftBook, draftKey, isDirty } from './draft-book.ts';

const StoredDocument = z.record(z.string(), z.unknown()).nullable();

const StoredDrafts = z.array(
  z.object({
    kind: DefinitionKind,
    name: z.string(),
    document: StoredDocument,
    saved: StoredDocument,
    base: StoredDocument,
    version: z.int().min(0),
    /** A choice that is still open stays open over a reload; without it the other person's value would be overwritten. */
    conflicts: z.array(z.object({ path: z.string(), mine: z.unknown(), theirs: z.unknown() })),
  }),
);

/** Where one tab keeps what was typed and not saved yet, so that it survives a reload and a lost session. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (number: number): string => `habitat-change-${number}`;

/** Unsaved drafts of a change from an earlier life of this tab. Text that cannot be read is as good as none. */
export function readStoredDrafts(storage: Storage, number: number): DraftBook {
  const parsed = StoredDrafts.safeParse(parseJson(storage.getItem(keyOf(number))));
  if (!parsed.success) return new Map();
  return new Map(
    parsed.data.map((draft) => [
      draftKey(draft.kind, draft.name),
      { ...draft, sending: undefined, isListed: true, isOrphan: false },
    ]),
  );
}

/** Keeps the unsaved drafts of a change, or clears the place when all is saved. */
export function storeDrafts(storage: Storage, number: number, book: DraftBook): void {
  const dirty = [...book.values()].filter(isDirty);
  if (dirty.length === 0) storage.removeItem(keyOf(number));
  else storage.setItem(keyOf(number), JSON.stringify(dirty));
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
