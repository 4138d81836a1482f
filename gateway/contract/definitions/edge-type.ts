import { z } from 'zod';
import { EdgeTypeName, ObjectTypeName, TeamName } from '../ids.ts';
import { Cache } from './cache.ts';
import { Lifecycle } from './lifecycle.ts';

export const MAX_LIST_CAP = 1_000;
export const MAX_EDGE_DATA_BYTES = 4_096;
export const DEFAULT_EDGE_DATA_BYTES = 1_024;
export const MAX_EDGES = 50_000_000;

/**
 * The document of an edge type. `from` and `to` are exactly one object type each. `inverse` names another edge type
 * whose ends are swapped, that has no inverse of its own and is always cardinality many.
 */
export const EdgeTypeDocument = z.strictObject({
  ownerTeam: TeamName,
  description: z.string().min(1, 'Say in a sentence what it connects.').max(500),
  from: ObjectTypeName,
  to: ObjectTypeName,
  inverse: EdgeTypeName.optional(),
  cardinality: z.enum(['many', 'one']),
  /** Most edges that one page of edge.list returns. */
  listCap: z.int().min(1).max(MAX_LIST_CAP, 'A list returns at most 1,000 edges a page.'),
  /** Most edges of this type that one object may have. */
  maxEdges: z.int().min(1).max(MAX_EDGES),
  dataMaxBytes: z.int().min(0).max(MAX_EDGE_DATA_BYTES, 'Edge data has at most 4,096 bytes.'),
  audit: z.strictObject({
    reads: z.enum(['none', 'sampled', 'all']),
    writes: z.enum(['none', 'all']),
  }),
  /** Absent when every read asks the store. */
  cache: Cache.optional(),
  /** Absent while the type is active. */
  lifecycle: Lifecycle.optional(),
});
export type EdgeTypeDocument = z.infer<typeof EdgeTypeDocument>;
