import type { ReleaseId, SectionKind, SectionOf } from '#gateway/contract/release.ts';

/** A verified and parsed release: every section's items by kind, empty where the release has no such section. */
export interface ReleaseContent {
  readonly id: ReleaseId;
  readonly sha256: string;
  readonly items: { readonly [K in SectionKind]: SectionOf<K>['items'] };
}
