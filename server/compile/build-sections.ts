import { buildProbes } from './build-probes.ts';
import type { Decider } from './decide.ts';
import { byName, type Catalog, type KeyItem, type Sections } from './model.ts';

/**
 * The content of a release, sorted, so that equal definitions give equal bytes. Keys of principals that are gone are left
 * out; an inverse names the edge type whose edges it mirrors.
 */
export function buildSections(catalog: Catalog, keys: readonly KeyItem[], decider: Decider): Sections {
  const mirrored = new Map(
    [...catalog.edgeType.values()].flatMap(({ name, document }) =>
      document.inverse === undefined ? [] : [[document.inverse as string, name] as const],
    ),
  );
  return {
    objectType: { items: sorted(catalog.objectType).map(({ name, document }) => ({ name, ...document })) },
    edgeType: {
      items: sorted(catalog.edgeType).map(({ name, document }) => {
        const derivedFrom = mirrored.get(name);
        return { name, ...document, ...(derivedFrom === undefined ? {} : { derivedFrom }) };
      }),
    },
    policy: {
      items: sorted(catalog.policy).map(({ name, document }) => ({
        name,
        ownerTeam: document.ownerTeam,
        cedar: document.cedar,
      })),
    },
    tenant: { items: sorted(catalog.tenant).map(({ name, document }) => ({ name, ...document })) },
    principal: { items: sorted(catalog.principal).map(({ name, document }) => ({ name, ...document })) },
    key: {
      items: keys
        .filter(({ principal }) => catalog.principal.has(principal))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    },
    probe: { items: buildProbes(catalog, decider) },
  };
}

function sorted<T extends { readonly name: string }>(definitions: ReadonlyMap<string, T>): readonly T[] {
  return [...definitions.values()].toSorted(byName);
}
