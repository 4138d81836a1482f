import type { DefinitionKind } from '#gateway/contract/definitions/definition.ts';
import { Definition } from '#gateway/contract/definitions/definition.ts';
import { canonicalJson } from '#gateway/contract/release.ts';
import type { ExportedDefinition } from '#server/contract/as-code.ts';
import type { FileDefinition } from './files/read-files.ts';

/** Files against what is published. Each list is by kind and name. */
export interface Comparison {
  /** Published, and in no file. */
  readonly missingHere: readonly ExportedDefinition[];
  /** In a file, and not published. */
  readonly missingThere: readonly FileDefinition[];
  readonly different: readonly { readonly here: FileDefinition; readonly there: ExportedDefinition }[];
  readonly same: readonly FileDefinition[];
}

/** Compares by meaning: the order of fields and those left at their default make no difference. */
export function compareWith(files: readonly FileDefinition[], published: readonly ExportedDefinition[]): Comparison {
  const there = new Map(published.map((definition) => [keyOf(definition), definition]));
  const here = new Set(files.map(keyOf));
  const both = files.flatMap((file) => {
    const other = there.get(keyOf(file));
    return other === undefined ? [] : [{ here: file, there: other }];
  });
  const isSame = (pair: (typeof both)[number]) => meaningOf(pair.here) === meaningOf(pair.there);
  return {
    missingHere: published.filter((definition) => !here.has(keyOf(definition))).toSorted(byKey),
    missingThere: files.filter((file) => !there.has(keyOf(file))).toSorted(byKey),
    different: both.filter((pair) => !isSame(pair)).toSorted((a, b) => byKey(a.here, b.here)),
    same: both
      .filter(isSame)
      .map((pair) => pair.here)
      .toSorted(byKey),
  };
}

/** `kind/name`, as people and files write it. */
export function keyOf({ kind, name }: { readonly kind: DefinitionKind; readonly name: string }): string {
  return `${kind}/${name}`;
}

function byKey(a: Parameters<typeof keyOf>[0], b: Parameters<typeof keyOf>[0]): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

function meaningOf({ kind, name, document }: Pick<ExportedDefinition, 'kind' | 'name' | 'document'>): string {
  const parsed = Definition.safeParse({ kind, name, document });
  return canonicalJson(parsed.success ? parsed.data.document : document);
}
