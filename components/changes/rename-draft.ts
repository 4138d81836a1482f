import { type Document, withValueAt } from '#components/definitions/document.ts';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { type Draft, type DraftBook, draftKey } from './draft-book.ts';

/** Fields by which one kind of definition names another. */
const NAMED_BY: Readonly<Record<DefinitionKind, readonly { readonly kind: DefinitionKind; readonly field: string }[]>> =
  {
    objectType: [
      { kind: 'edgeType', field: 'from' },
      { kind: 'edgeType', field: 'to' },
    ],
    edgeType: [{ kind: 'edgeType', field: 'inverse' }],
    tenant: [{ kind: 'principal', field: 'tenant' }],
    policy: [],
    principal: [],
  };

/** Renames a definition that is not published yet; the other edits of the change that name it follow. */
export function renameDraft(book: DraftBook, draft: Draft, name: string): DraftBook {
  const oldKey = draftKey(draft.kind, draft.name);
  if (draft.base !== null || name === draft.name || book.has(draftKey(draft.kind, name))) return book;
  const references = NAMED_BY[draft.kind];
  const next = new Map<string, Draft>();
  for (const [key, each] of book) {
    const document = references
      .filter((reference) => reference.kind === each.kind)
      .reduce((now, { field }) => renamedIn(now, field, { from: draft.name, to: name }), each.document);
    if (key === oldKey)
      next.set(draftKey(draft.kind, name), { ...draft, document, name, saved: null, version: 0, sending: undefined });
    else next.set(key, document === each.document ? each : { ...each, document });
  }
  return next;
}

function renamedIn(document: Document | null, field: string, name: { from: string; to: string }): Document | null {
  return document === null || document[field] !== name.from ? document : withValueAt(document, field, name.to);
}
