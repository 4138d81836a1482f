import { z } from 'zod';
import { storedBytes } from '#gateway/store/layout/items.ts';
import { HEAD_ID, isHeldByHead, OBJECT_ID } from '#gateway/store/layout/keys.ts';
import type { FeedItem } from './read-changes.ts';

export interface CountedEdge {
  readonly pk: string;
  readonly edgeType: string;
  readonly to: string;
  /** When it was last written. */
  readonly atMs: number;
}

export interface CountedHead {
  readonly n: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly isClosing: boolean;
  readonly etag: string;
}

/** An item as far as counting goes. */
export interface CountedItem {
  readonly pk: string;
  /** Of a live object or a live edge; null for everything else. */
  readonly type: string | null;
  readonly edge: Omit<CountedEdge, 'pk'> | null;
  readonly head: CountedHead | null;
  readonly bytes: number;
  /** Its bytes are among those of the head. */
  readonly isHeld: boolean;
}

const Fields = z.object({
  type: z.string().optional(),
  to: z.string().optional(),
  dead: z.boolean().optional(),
  n: z.record(z.string(), z.int()).optional(),
  bytes: z.int().optional(),
  state: z.string().optional(),
  _etag: z.string().optional(),
});

export function countedItem(item: FeedItem): CountedItem {
  const { pk, id } = item;
  const bare = { pk, type: null, edge: null, head: null, isHeld: isHeldByHead(id), bytes: storedBytes(item) };
  const read = Fields.safeParse(item);
  if (!read.success) return bare;
  const { type, to, dead, n, bytes, state, _etag: etag } = read.data;
  if (id === HEAD_ID && n !== undefined && bytes !== undefined && etag !== undefined)
    return { ...bare, head: { n, bytes, isClosing: state === 'closing', etag } };
  if (dead === true || type === undefined) return bare;
  if (id === OBJECT_ID) return { ...bare, type };
  if (!id.startsWith('e~') || to === undefined) return bare;
  return { ...bare, type, edge: { edgeType: type, to, atMs: item._ts * 1_000 } };
}
