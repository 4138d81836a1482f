import type { EdgeTypeName, ObjectId, TenantName } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey, WriteCall } from '#gateway/pipeline/store-port.ts';
import { EdgeItem, isDead, type LiveEdgeItem } from '#gateway/store/layout/items.ts';
import { edgeItemId, manyEdgeItemId, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';

/** A forward edge type that has an inverse. */
export type MirroredRule = EdgeRule & { readonly inverse: EdgeTypeName };

/** A forward edge and its inverse, wherever one of them was seen. */
export interface Pair {
  readonly tenant: TenantName;
  readonly rule: MirroredRule;
  readonly fromId: ObjectId;
  readonly toId: ObjectId;
}

export interface PairState {
  readonly kind: 'pair';
  /** Null when it is gone, or when its place holds an edge to another target (cardinality one). */
  readonly forward: LiveEdgeItem | null;
  readonly inverse: EdgeItem | null;
  /** How the inverse differs from what its forward edge says; null when it does not. */
  readonly differs: 'missing' | 'orphan' | null;
}

/** The forward rule behind a rule of either direction; null when it is not mirrored. */
export function forwardOf(rule: EdgeRule): MirroredRule | null {
  const forward = rule.derivedFrom === null ? rule : rule.forward;
  if (forward === null) return null;
  const { inverse } = forward;
  return inverse === null ? null : { ...forward, inverse };
}

/** The pair that an edge of an object belongs to, in either direction; null when it is not mirrored. */
export function pairOf(key: ObjectKey, rule: EdgeRule, to: ObjectId): Pair | null {
  const forward = forwardOf(rule);
  if (forward === null) return null;
  const isForward = rule.derivedFrom === null;
  return { tenant: key.tenant, rule: forward, fromId: isForward ? key.id : to, toId: isForward ? to : key.id };
}

export function endsOf({ tenant, rule, fromId, toId }: Pair): { readonly from: ObjectKey; readonly to: ObjectKey } {
  return { from: { tenant, type: rule.from, id: fromId }, to: { tenant, type: rule.to, id: toId } };
}

/** Both halves, read where writes go: the inverse first, which is never newer, so that what is read second decides. 2 RU. */
export async function readPair(parts: StoreParts, pair: Pair, call: WriteCall): Promise<PairState | Denial> {
  const { from, to } = endsOf(pair);
  const inverse = await readEdge(parts, { of: to, id: manyEdgeItemId(pair.rule.inverse, from.id) }, call);
  if (isDenial(inverse)) return inverse;
  const found = await readEdge(parts, { of: from, id: edgeItemId(pair.rule, to.id) }, call);
  if (isDenial(found)) return found;
  const { item } = found;
  const forward = item !== null && !isDead(item) && item.to === to.id ? item : null;
  return { kind: 'pair', forward, inverse: inverse.item, differs: differenceOf(forward, inverse.item) };
}

function differenceOf(forward: LiveEdgeItem | null, inverse: EdgeItem | null): PairState['differs'] {
  const isLive = inverse !== null && !isDead(inverse);
  if (forward === null) return isLive ? 'orphan' : null;
  return isLive && inverse.r === forward.r ? null : 'missing';
}

function readEdge(parts: StoreParts, { of, id }: { readonly of: ObjectKey; readonly id: string }, call: WriteCall) {
  return readItem(parts, { pk: partitionKeyOf(of), id, schema: EdgeItem, consistency: 'critical' }, call);
}
