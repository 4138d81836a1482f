import type { Document } from '#components/definitions/document.ts';
import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';

/** What is added to the change. */
export interface AddedEdit {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly document: Document;
  readonly base: Document | null;
}
