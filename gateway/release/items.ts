import type { SectionKind, SectionOf } from '#gateway/contract/release.ts';
import type { Table } from './table.ts';

/** What a table holds by kind. */
interface Items extends Record<SectionKind, unknown> {
  readonly objectType: SectionOf<'objectType'>['items'][number];
  readonly edgeType: SectionOf<'edgeType'>['items'][number];
  readonly policy: SectionOf<'policy'>['items'][number];
  readonly tenant: SectionOf<'tenant'>['items'][number];
  readonly principal: SectionOf<'principal'>['items'][number];
  readonly key: SectionOf<'key'>['items'][number];
  readonly probe: SectionOf<'probe'>['items'][number];
  /** Names of edge types. */
  readonly mirrored: readonly string[];
}
export type TableItem<K extends keyof Items> = Items[K];

/** One item, decoded. It was parsed by its schema before it went into the table (leaf.ts), so it is not parsed again. */
export function itemOf<K extends keyof Items>(table: Table, kind: K, at: number): Items[K] {
  return JSON.parse(table.text(kind, at)) as Items[K];
}

/** All items of a kind of which a release has few. */
export function itemsOf<K extends keyof Items>(table: Table, kind: K): readonly Items[K][] {
  return Array.from({ length: table.count(kind) }, (_, at) => itemOf(table, kind, at));
}
