import { formatBytes, formatCount } from '#components/ui/format-number.ts';
import { FULL_OBJECT_BYTES, MAX_EDGE_IDS, MAX_PAGE_BYTES } from '#gateway/contract/data-api.ts';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import { MAX_EDGE_DATA_BYTES, MAX_EDGES, MAX_LIST_CAP } from '#gateway/contract/definitions/edge-type.ts';
import { MAX_OBJECT_BYTES } from '#gateway/contract/definitions/object-type.ts';
import type { ErrorCode } from '#gateway/contract/errors.ts';

/** One wall of a type: where it stands, how far a change can move it, and what a request beyond it gets. */
export interface Limit {
  readonly what: string;
  readonly now: string;
  readonly most: string;
  /** Absent where the reply is cut and says so, instead of being refused. */
  readonly code: ErrorCode | undefined;
}

/** The walls of a type, from its document and the contract's ceilings. */
export function limitsOf(definition: Definition): readonly Limit[] {
  const id: Limit = { what: 'Id of an object', now: '255 bytes of UTF-8', most: 'fixed', code: 'malformed_request' };
  if (definition.kind === 'objectType') {
    const { maxBytes } = definition.document;
    const content: Limit = {
      what: 'Content of an object',
      now: formatBytes(maxBytes),
      most: formatBytes(MAX_OBJECT_BYTES),
      code: 'content_too_large',
    };
    const whole: Limit = {
      what: 'An object with its edges',
      now: formatBytes(FULL_OBJECT_BYTES),
      most: 'fixed',
      code: 'limit_exceeded',
    };
    return [content, whole, id];
  }
  if (definition.kind !== 'edgeType') return [];
  const { cardinality, maxEdges, listCap, dataMaxBytes } = definition.document;
  return [
    {
      what: 'Edges of one object',
      now: cardinality === 'one' ? '1' : formatCount(maxEdges),
      most: formatCount(MAX_EDGES),
      code: 'limit_exceeded',
    },
    {
      what: 'Data of an edge',
      now: dataMaxBytes === 0 ? 'none' : formatBytes(dataMaxBytes),
      most: formatBytes(MAX_EDGE_DATA_BYTES),
      code: 'content_too_large',
    },
    {
      what: 'Edges in one page of a list',
      now: formatCount(listCap),
      most: formatCount(MAX_LIST_CAP),
      code: undefined,
    },
    { what: 'Bytes in one page of a list', now: formatBytes(MAX_PAGE_BYTES), most: 'fixed', code: undefined },
    { what: 'Ids in one edge.get', now: formatCount(MAX_EDGE_IDS), most: 'fixed', code: 'malformed_request' },
    id,
  ];
}
