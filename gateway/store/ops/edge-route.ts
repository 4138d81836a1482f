import type { ObjectId, TenantName } from '#gateway/contract/ids.ts';
import type { ContentBinding, EdgeRule, ObjectKey, StoredEdge } from '#gateway/pipeline/store-port.ts';
import type { LiveEdgeItem, OutboxBody } from '#gateway/store/layout/items.ts';
import { edgeItemId, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { EdgePlace } from './edge-bodies.ts';

export interface EdgeAddress {
  readonly from: ObjectKey;
  readonly rule: EdgeRule;
  readonly toId: ObjectId;
}

/**
 * Where a write of an edge goes: the forward edge is the only truth, so an inverse edge Y→X is written as the forward
 * edge X→Y, in X's partition and under the forward type's cardinality and limit.
 */
export function forwardOf(edge: EdgeAddress): EdgeAddress {
  const { from, rule, toId } = edge;
  if (rule.derivedFrom === null) return edge;
  if (rule.forward === null) throw new Error(`The inverse ${rule.edgeType} came without its forward rule.`);
  return { from: { tenant: from.tenant, type: rule.to, id: toId }, rule: rule.forward, toId: from.id };
}

/** Where an edge lies as its own type stores it. */
export function edgePlace({ from, rule, toId }: EdgeAddress): EdgePlace & { readonly tenant: TenantName } {
  const pk = partitionKeyOf(from);
  return { tenant: from.tenant, pk, id: edgeItemId(rule, toId), type: rule.edgeType, to: toId };
}

/** A stored edge as the pipeline reads it. */
export function storedEdge(from: ObjectKey, rule: EdgeRule, item: LiveEdgeItem): StoredEdge {
  const { r, timeMs, s, to } = item;
  const { tenant, pk, id: itemId, type } = edgePlace({ from, rule, toId: to });
  const binding: ContentBinding = { tenant, pk, itemId, type, r, timeMs };
  return { kind: 'edge', toId: to, r, timeMs, s, binding, data: item.content ?? null };
}

/** The outbox entry of a write that changed these pairs of one edge type; none when the type has no inverse. */
export function outboxesOf(
  { from, rule }: Pick<EdgeAddress, 'from' | 'rule'>,
  pairs: OutboxBody['pairs'],
  atMs: number,
): readonly OutboxBody[] {
  const { edgeType, inverse, to: toType } = rule;
  if (inverse === null) return [];
  const { tenant, type: fromType, id: fromId } = from;
  return [{ kind: 'pairs', tenant, fromType, fromId, edgeType, inverse, toType, pairs, atMs }];
}
