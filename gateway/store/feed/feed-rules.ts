import { ObjectId, ObjectTypeName, TenantName } from '#gateway/contract/ids.ts';
import type { EdgeRule, ObjectKey } from '#gateway/pipeline/store-port.ts';
import { unescapeId } from '#gateway/store/layout/keys.ts';
import { forwardOf, type Pair, pairOf } from '#gateway/store/repair/pair.ts';
import type { InverseDrift } from '#gateway/store/repair/verify-inverses.ts';
import type { CountedEdge } from './counted-item.ts';

/** What the feed's worker asks of the release that the gateway serves. */
export interface FeedRules {
  /** Edge types that start at an object type and have an inverse, or are one; none before the first release. */
  mirrored(objectType: string): readonly EdgeRule[];
}

/** The object of a partition; null when the key is none that a gateway makes. */
export function objectOf(pk: string): ObjectKey | null {
  const [tenant, type, id = ''] = pk.split('|');
  const read = [
    TenantName.safeParse(tenant),
    ObjectTypeName.safeParse(type),
    ObjectId.safeParse(unescapeId(id)),
  ] as const;
  const [readTenant, readType, readId] = read;
  if (!readTenant.success || !readType.success || !readId.success) return null;
  return { tenant: readTenant.data, type: readType.data, id: readId.data };
}

/** The pair that a counted edge belongs to; null when it is not mirrored. */
export function pairOfEdge({ mirrored }: FeedRules, { pk, edgeType, to }: CountedEdge): Pair | null {
  const key = objectOf(pk);
  const rule = key === null ? undefined : mirrored(key.type).find((one) => one.edgeType === edgeType);
  const target = ObjectId.safeParse(to);
  return key === null || rule === undefined || !target.success ? null : pairOf(key, rule, target.data);
}

/** The pair that drift of a partition names; null when it is not mirrored any more. */
export function pairOfDrift({ mirrored }: FeedRules, pk: string, { edgeType, from, to }: InverseDrift): Pair | null {
  const key = objectOf(pk);
  if (key === null) return null;
  const rule = mirrored(key.type)
    .flatMap((one) => forwardOf(one) ?? [])
    .find((one) => one.edgeType === edgeType);
  const [fromId, toId] = [ObjectId.safeParse(from), ObjectId.safeParse(to)];
  if (rule === undefined || !fromId.success || !toId.success) return null;
  return { tenant: key.tenant, rule, fromId: fromId.data, toId: toId.data };
}
