import type { CallOptions } from './calls/options.ts';
import type { Bounds, ListOptions } from './edge-operations.ts';
import type { Edge, EdgePage } from './replies.ts';

export interface IterateOptions extends Bounds, CallOptions {
  /** Most edges that the walk gives. There is no walk without an end. */
  readonly atMost: number;
  /** Edges of one page: as many as are wanted, up to 100, unless told. */
  readonly pageSize?: number | undefined;
}

const DEFAULT_PAGE = 100;

/** Walks a list newest first, a page at a time. Asks for the next page when its first edge is wanted, and not before. */
export async function* iterate<N extends string>(
  page: (options: ListOptions) => Promise<EdgePage<N>>,
  { atMost, pageSize = DEFAULT_PAGE, after, before }: IterateOptions,
): AsyncGenerator<Edge<N>, void, undefined> {
  let left = atMost;
  let cursor: string | null | undefined;
  while (left > 0 && cursor !== null) {
    const limit = Math.min(pageSize, left);
    const { edges, ...rest } = await page({ limit, after, before, cursor });
    yield* edges.slice(0, left);
    left -= edges.length;
    cursor = rest.cursor;
  }
}
