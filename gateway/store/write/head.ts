import { FULL_OBJECT_BYTES } from '#gateway/contract/data-api.ts';
import { type Denial, deny } from '#gateway/pipeline/denial.ts';
import type { HeadItem } from '#gateway/store/layout/items.ts';

/** What a count's patch demands of the head. `hasRoom` is off for deletes, which must go on in a full partition. */
export interface HeadDemands {
  readonly isOpen: boolean;
  readonly hasRoom: boolean;
}

/** By how much the edges of one type become more or fewer. `maxEdges` is null where the limit does not matter. */
export interface CountChange {
  readonly edgeType: string;
  readonly delta: number;
  readonly maxEdges: number | null;
}

/**
 * How a batch touches the partition's head: `count` patches it under a condition, so that edge writes to one object do
 * not exclude each other; `close` begins a delete, whatever other writes do; `replace` insists on the state that was read
 * (null: that there is none). The bytes of the batch are added to its count in each case.
 */
export type HeadWrite =
  | {
      readonly kind: 'count';
      readonly counts: readonly CountChange[];
      readonly demands: HeadDemands;
    }
  | { readonly kind: 'close' }
  | {
      readonly kind: 'replace';
      readonly previous: HeadItem | null;
      readonly state: HeadItem['state'];
      readonly n: HeadItem['n'];
    };

type CountWrite = Extract<HeadWrite, { readonly kind: 'count' }>;

/** The demands as Cosmos's patch condition; undefined when there are none. */
export function conditionOf({ counts, demands }: CountWrite): string | undefined {
  const terms: string[] = [];
  if (demands.isOpen) terms.push('c.state = "open"');
  if (demands.hasRoom) terms.push(`c.bytes < ${FULL_OBJECT_BYTES}`);
  for (const { edgeType, delta, maxEdges } of counts) {
    if (maxEdges === null || delta <= 0) continue;
    const count = `c.n["${edgeType}"]`;
    terms.push(`(NOT IS_DEFINED(${count}) OR ${count} <= ${maxEdges - delta})`);
  }
  return terms.length === 0 ? undefined : `FROM c WHERE ${terms.join(' AND ')}`;
}

/** Which demand a head does not meet, as a refusal; null when it meets all by now. */
export function unmetDemand(head: HeadItem, { counts, demands }: CountWrite): Denial | null {
  if (demands.isOpen && head.state !== 'open') {
    return deny('delete_in_progress', 'The object is being deleted with its edges.');
  }
  if (demands.hasRoom && head.bytes >= FULL_OBJECT_BYTES) {
    return deny('limit_exceeded', 'The object and its edges fill the space that one object may take.');
  }
  for (const { edgeType, delta, maxEdges } of counts) {
    if (maxEdges === null || delta <= 0 || (head.n[edgeType] ?? 0) + delta <= maxEdges) continue;
    return deny('limit_exceeded', `The object has ${maxEdges} edges of type ${edgeType}, its limit.`, {
      details: { edgeType, maxEdges },
    });
  }
  return null;
}
