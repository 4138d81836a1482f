import 'server-only';
import type { Definition, DefinitionOf } from '#gateway/contract/definitions/definition.ts';
import { byName, type Catalog } from '#server/compile/model.ts';
import { MAX_DRAWN, type Neighbour, type Neighbourhood } from '#server/contract/definitions.ts';

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

/**
 * How many edge types are around a type, and those that its picture has room for: an inverse lies on the line that it
 * mirrors, and of each side come the first by the type at the other end. The edge type that the page is about is among them.
 */
export function neighbourhoodOf(definition: Definition, catalog: Catalog): Neighbourhood {
  const neighbours = neighboursOf(definition, catalog);
  const edges = new Set(neighbours.map(({ edge }) => edge));
  const lines = neighbours.filter(({ mirrors }) => mirrors === null || !edges.has(mirrors));
  const { kind, name } = definition;
  const centre: string = kind === 'edgeType' ? definition.document.from : name;
  const isMarked = ({ edge, inverse }: Neighbour) => kind === 'edgeType' && (edge === name || inverse === name);
  const first = (some: readonly Neighbour[], most: number, other: (line: Neighbour) => string) =>
    some.toSorted((a, b) => Number(isMarked(b)) - Number(isMarked(a)) || compare(other(a), other(b))).slice(0, most);
  const loops = first(
    lines.filter(({ from, to }) => from === centre && to === centre),
    MAX_DRAWN,
    ({ to }) => to,
  );
  const out = first(
    lines.filter(({ from, to }) => from === centre && to !== centre),
    MAX_DRAWN - loops.length,
    ({ to }) => to,
  );
  const into = first(
    lines.filter(({ from }) => from !== centre),
    MAX_DRAWN,
    ({ from }) => from,
  );
  return { total: neighbours.length, lines: lines.length, drawn: [...into, ...out, ...loops] };
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
