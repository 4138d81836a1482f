import { type Document, valueAt } from '#components/definitions/document.ts';
import { type Draft, type DraftBook, draftKey, drop, typeInto } from './draft-book.ts';

/** Fields of an inverse that its forward edge type decides. */
const FOLLOWS = ['ownerTeam', 'audit'] as const;

/**
 * Gives an edge type an inverse called `name`, renames it, or (with '') takes it away. The inverse is an edge type of its
 * own in the same change: ends swapped, cardinality many, no inverse of its own. A published inverse is only linked.
 */
export function setInverse(book: DraftBook, forward: Draft, name: string): DraftBook {
  if (forward.document === null) return book;
  const { inverse: old, ...rest } = forward.document;
  const oldKey = typeof old === 'string' ? draftKey('edgeType', old) : '';
  const oldDraft = book.get(oldKey);
  const isOwn = oldDraft !== undefined && oldDraft.base === null && oldDraft.document !== null;
  let next = isOwn && old !== name ? drop(book, oldKey) : book;
  if (name === '') return typeInto(next, { ...forward, document: rest });
  const document = { ...rest, inverse: name };
  next = typeInto(next, { ...forward, document });
  if (next.has(draftKey('edgeType', name))) return next;
  const before = isOwn ? oldDraft.document : null;
  return typeInto(next, { kind: 'edgeType', name, document: inverseOf(forward.name, document, before) });
}

/** After the forward edge type changed: its unpublished inverse follows in ends, owner and audit. */
export function followForward(book: DraftBook, forward: Draft): DraftBook {
  const inverse = valueAt(forward.document, 'inverse');
  const draft = typeof inverse === 'string' ? book.get(draftKey('edgeType', inverse)) : undefined;
  if (forward.document === null || draft === undefined || draft.base !== null || draft.document === null) return book;
  const document = { ...draft.document, from: forward.document.to, to: forward.document.from };
  for (const field of FOLLOWS) Object.assign(document, { [field]: forward.document[field] });
  return typeInto(book, { ...draft, document });
}

/** The edge type that names this one as its inverse, among the edits of the change. */
export function forwardOf(book: DraftBook, inverse: string): Draft | undefined {
  return [...book.values()].find((each) => each.kind === 'edgeType' && each.document?.inverse === inverse);
}

function inverseOf(forwardName: string, forward: Document, before: Document | null): Document {
  return {
    ...forward,
    description: `The way back along ${forwardName}.`,
    ...before,
    from: forward.to,
    to: forward.from,
    cardinality: 'many',
    inverse: undefined,
  };
}
