import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import { FULL_PARTITION_BYTES, type HeadItem } from '#gateway/store/layout/items.ts';

/** What a count's patch demands of the head. `room` is off for deletes, which must go on in a full partition. */
export interface HeadDemands {
  readonly isOpen: boolean;
  readonly hasRoom: boolean;
  readonly maxEdges: number | null;
}

/**
 * How a batch touches the partition's head: `count` patches it under a condition, so that edge writes to one object do
 * not exclude each other; `guard` insists on the state that was read (null: that there is none).
 */
export type HeadWrite =
  | {
      readonly kind: 'count';
      readonly edgeType: string;
      readonly delta: -1 | 0 | 1;
      readonly bytes: number;
      readonly demands: HeadDemands;
    }
  | { readonly kind: 'guard'; readonly etag: string | null; readonly bytes: number };

/** The demands as Cosmos's patch condition; undefined when there are none. */
export function conditionOf(edgeType: string, demands: HeadDemands): string | undefined {
  const terms: string[] = [];
  const count = `c.n["${edgeType}"]`;
  if (demands.isOpen) terms.push('c.state = "open"');
  if (demands.hasRoom) terms.push(`c.bytes < ${FULL_PARTITION_BYTES}`);
  if (demands.maxEdges !== null) terms.push(`(NOT IS_DEFINED(${count}) OR ${count} < ${demands.maxEdges})`);
  return terms.length === 0 ? undefined : `FROM c WHERE ${terms.join(' AND ')}`;
}

/** Which demand a head does not meet, as a refusal; null when it meets all by now. */
export function unmetDemand(head: HeadItem, edgeType: string, demands: HeadDemands): Denial | null {
  if (demands.isOpen && head.state !== 'open') {
    return deny('delete_in_progress', 'The object is being deleted with its edges.');
  }
  if (demands.hasRoom && head.bytes >= FULL_PARTITION_BYTES) {
    return deny('limit_exceeded', 'The object and its edges fill the space that one object may take.');
  }
  if (demands.maxEdges !== null && (head.n[edgeType] ?? 0) >= demands.maxEdges) {
    const details = { edgeType, maxEdges: demands.maxEdges };
    return deny('limit_exceeded', `The object has ${demands.maxEdges} edges of type ${edgeType}, its limit.`, {
      details,
    });
  }
  return null;
}
