import type { Definition, DefinitionKind, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import type { SectionKind, SectionOf } from '#gateway/contract/release.ts';
import type { ChangeDetail, PolicyTestResult } from '#server/contract/changes.ts';
import type { CheckFinding } from './finding.ts';
import type { ReadPolicy } from './read-policy.ts';

/** One edit as compile sees it: the whole draft of a definition, or null to remove it. */
export interface DraftEdit {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly document: unknown;
}

export type KeyItem = SectionOf<'key'>['items'][number];

export interface CheckInput {
  /** What the newest release holds. What is made of it once is kept as long as this array lives, so never change it. */
  readonly published: readonly Definition[];
  readonly edits: readonly DraftEdit[];
  /** Names of all teams. */
  readonly teams: readonly string[];
  /** Removed definitions as they were last, of the names that edits bring back: what was stored under them is still there. */
  readonly removed?: readonly Definition[];
}

export interface CompileInput extends CheckInput {
  /** Keys that are neither revoked nor expired. */
  readonly keys: readonly KeyItem[];
}

export type Effect = ChangeDetail['effects'][number];

/** The content of a release by section, before it is hashed and signed. */
export type Sections = { readonly [K in SectionKind]: SectionOf<K> };

/** One state of the definitions: what they are, and the policies among them that Cedar accepts. */
export interface State {
  readonly catalog: Catalog;
  readonly policies: readonly ReadPolicy[];
}

export interface CheckResult {
  /** Every finding, errors first. */
  readonly findings: readonly CheckFinding[];
  readonly effects: readonly Effect[];
  /** The definitions after the edits; those that do not parse are missing. */
  readonly definitions: readonly Definition[];
  /** How the tests of all policies came out. */
  readonly tests: readonly PolicyTestResult[];
  readonly before: State;
  readonly after: State;
}

export interface CompileResult extends Pick<CheckResult, 'findings' | 'effects' | 'definitions'> {
  /** Null when a finding blocks. */
  readonly sections: Sections | null;
}

/** The definitions of a release by kind and name, as the checks read them. */
export interface Catalog {
  readonly objectType: ReadonlyMap<string, DefinitionOf<'objectType'>>;
  readonly edgeType: ReadonlyMap<string, DefinitionOf<'edgeType'>>;
  readonly policy: ReadonlyMap<string, DefinitionOf<'policy'>>;
  readonly tenant: ReadonlyMap<string, DefinitionOf<'tenant'>>;
  readonly principal: ReadonlyMap<string, DefinitionOf<'principal'>>;
  /** `kind name` of every definition, also of drafts that do not parse yet: those exist, they are only unfinished. */
  readonly names: ReadonlySet<string>;
}

/** Key of a definition in maps. */
export function keyOf(definition: { readonly kind: DefinitionKind; readonly name: string }): string {
  return `${definition.kind} ${definition.name}`;
}

/** Order of names: by code unit, the same on every machine. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

export function catalogOf(definitions: readonly Definition[], unfinished: readonly DraftEdit[] = []): Catalog {
  const of = <K extends DefinitionKind>(kind: K): ReadonlyMap<string, DefinitionOf<K>> =>
    new Map(
      definitions
        .filter((definition): definition is DefinitionOf<K> => definition.kind === kind)
        .map((definition) => [definition.name, definition]),
    );
  return {
    objectType: of('objectType'),
    edgeType: of('edgeType'),
    policy: of('policy'),
    tenant: of('tenant'),
    principal: of('principal'),
    names: new Set([...definitions, ...unfinished].map(keyOf)),
  };
}
