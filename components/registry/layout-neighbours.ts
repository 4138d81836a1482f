import { MAX_DRAWN, type Neighbour } from '#server/contract/definitions.ts';

/** One line of the graph: an edge type, with its inverse on the same line. */
export interface GraphRow {
  readonly edge: string;
  readonly inverse: string | null;
  readonly state: Neighbour['state'];
  /** Middle of the line. */
  readonly y: number;
}

/** An object type at the end of one or more lines. */
export interface GraphGroup {
  readonly type: string;
  readonly y: number;
  readonly height: number;
  readonly rows: readonly GraphRow[];
}

export interface NeighbourGraph {
  readonly height: number;
  /** Types whose edges lead to the centre. */
  readonly left: readonly GraphGroup[];
  /** Types that the centre's edges lead to. */
  readonly right: readonly GraphGroup[];
  /** Edge types from the centre to itself. */
  readonly loops: readonly GraphRow[];
  /** Edge types that had no room; the list has them. */
  readonly leftOut: number;
}

export const ROW_HEIGHT = 40;
const GAP = 12;
/**
 * Places the edge types around an object type: those that lead to it at its left, those that start from it at its right,
 * grouped by the type at the other end, then those that lead back to itself. An inverse lies on the line that it mirrors.
 * What exceeds `MAX_DRAWN` a side is counted and left out, the last types by name first; `total` lines there are where not all are given.
 */
export function layoutNeighbours(centre: string, neighbours: readonly Neighbour[], total?: number): NeighbourGraph {
  const edges = new Set(neighbours.map(({ edge }) => edge));
  const lines = neighbours.filter(({ mirrors }) => mirrors === null || !edges.has(mirrors));
  const own = lines.filter(({ from, to }) => from === centre && to === centre);
  const loops = own.slice(0, MAX_DRAWN);
  const to = lines.filter((line) => line.from === centre && line.to !== centre);
  const from = lines.filter((line) => line.from !== centre);
  const out = groupBy(to, (line) => line.to, MAX_DRAWN - loops.length);
  const into = groupBy(from, (line) => line.from, MAX_DRAWN);
  const rightHeight = heightOf(out) + (out.length > 0 && loops.length > 0 ? GAP : 0) + loops.length * ROW_HEIGHT;
  const leftHeight = heightOf(into);
  const height = Math.max(leftHeight, rightHeight, ROW_HEIGHT);
  const right = place(out, (height - rightHeight) / 2);
  const loopsAt = (height + rightHeight) / 2 - loops.length * ROW_HEIGHT;
  return {
    height,
    left: place(into, (height - leftHeight) / 2),
    right,
    loops: loops.map((line, index) => rowOf(line, loopsAt + index * ROW_HEIGHT)),
    leftOut: (total ?? lines.length) - loops.length - countOf(out) - countOf(into),
  };
}

type Group = readonly [type: string, lines: readonly Neighbour[]];

function groupBy(lines: readonly Neighbour[], typeOf: (line: Neighbour) => string, most: number): readonly Group[] {
  const inOrder = lines.toSorted((a, b) => compare(typeOf(a), typeOf(b)) || compare(a.edge, b.edge));
  return [...Map.groupBy(inOrder.slice(0, Math.max(most, 0)), typeOf)];
}

function place(groups: readonly Group[], from: number): readonly GraphGroup[] {
  let y = from;
  return groups.map(([type, lines]) => {
    const at = y;
    const height = lines.length * ROW_HEIGHT;
    y += height + GAP;
    return { type, y: at, height, rows: lines.map((line, index) => rowOf(line, at + index * ROW_HEIGHT)) };
  });
}

function rowOf({ edge, inverse, state }: Neighbour, top: number): GraphRow {
  return { edge, inverse, state, y: top + ROW_HEIGHT / 2 };
}

function heightOf(groups: readonly Group[]): number {
  return countOf(groups) * ROW_HEIGHT + Math.max(groups.length - 1, 0) * GAP;
}

function countOf(groups: readonly Group[]): number {
  return groups.reduce((sum, [, lines]) => sum + lines.length, 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
