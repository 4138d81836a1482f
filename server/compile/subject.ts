import type { DefinitionOf } from '#gateway/contract/definitions/definition.ts';

/** Who calls: a principal as policy sees it. */
export interface Subject {
  readonly name: string;
  readonly actorKind: DefinitionOf<'principal'>['document']['actorKind'];
  readonly tenant: string;
  /** The team that owns its tenant. */
  readonly team: string;
  readonly groups: readonly string[];
}

/** What is called on: a type as policy sees it. */
export interface Resource {
  readonly kind: 'objectType' | 'edgeType';
  readonly name: string;
  readonly ownerTeam: string;
  readonly classification: string;
  readonly from?: string;
  readonly to?: string;
}
