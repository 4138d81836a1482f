import 'server-only';
import type { Definition, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { byName, type Catalog } from '#server/compile/model.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';

type Neighbour = NonNullable<DefinitionDetail['neighbours']>[number];
type EdgeType = DefinitionOf<'edgeType'>;

/**
 * The edge types around a type, by name: of an object type those that start from it or lead to it, of an edge type those
 * between the same two object types, itself among them. Other kinds have none.
 */
export function neighboursOf(definition: Definition, catalog: Catalog): Neighbour[] {
  const isNear = nearnessTo(definition);
  if (isNear === null) return [];
  const all = [...catalog.edgeType.values()];
  const forward = new Map(all.map((edge) => [edge.document.inverse as string | undefined, edge.name]));
  return all
    .filter(isNear)
    .toSorted(byName)
    .map(({ name, document }) => ({
      edge: name,
      from: document.from,
      to: document.to,
      cardinality: document.cardinality,
      inverse: document.inverse ?? null,
      mirrors: forward.get(name) ?? null,
      state: document.lifecycle?.state ?? 'active',
    }));
}

function nearnessTo(definition: Definition): ((edge: EdgeType) => boolean) | null {
  if (definition.kind === 'objectType') {
    return ({ document: { from, to } }) => from === definition.name || to === definition.name;
  }
  if (definition.kind !== 'edgeType') return null;
  const { from, to } = definition.document;
  return ({ document }) =>
    (document.from === from && document.to === to) || (document.from === to && document.to === from);
}
