import { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import type { DraftEdit } from '#server/compile/model.ts';

/** A stored edit or revision as compile takes it. */
export function draftOf(stored: {
  readonly kind: string;
  readonly name: string;
  readonly document: unknown;
}): DraftEdit {
  return { kind: DefinitionKind.parse(stored.kind), name: stored.name, document: stored.document };
}
