import type { ObjectId } from '#gateway/contract/ids.ts';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey, WriteCall } from '#gateway/pipeline/store-port.ts';
import { eachOf } from '#gateway/store/each-of.ts';
import { EdgeItem, isDead, type OutboxBody } from '#gateway/store/layout/items.ts';
import { edgeItemId, manyEdgeItemId, partitionKeyOf } from '#gateway/store/layout/keys.ts';
import { type Mirror, mirrorPair } from '#gateway/store/ops/apply-inverse.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { readItem } from '#gateway/store/read/read-item.ts';
import type { AnyItem } from './recount.ts';

const PARALLEL = 8;

export interface InverseDrift {
  readonly edgeType: string;
  readonly to: string;
  /** `missing`: a forward edge without its inverse, or with an older one; `orphan`: an inverse without its forward edge. */
  readonly what: 'missing' | 'orphan';
}

export interface Verified {
  readonly kind: 'verified';
  readonly drift: readonly InverseDrift[];
}

interface Verifying {
  readonly key: ObjectKey;
  /** Every item of the object's partition. */
  readonly items: readonly AnyItem[];
  /** Edge types that start at the object's type and have an inverse, or are one. */
  readonly rules: readonly EdgeRule[];
  readonly fix: boolean;
}

/**
 * Looks from each mirrored edge of one object at its other half, where writes go, and with `fix` writes what the forward
 * edge says. Whatever an outbox entry that is still open would write is written the same way, so it never fights the worker.
 */
export async function verifyInverses(parts: StoreParts, on: Verifying, call: WriteCall): Promise<Verified | Denial> {
  const edges = on.items.flatMap((item) => {
    const edge = EdgeItem.safeParse(item);
    const rule = edge.success ? on.rules.find(({ edgeType }) => edgeType === edge.data.type) : undefined;
    return edge.success && rule !== undefined && !isDead(edge.data) ? [{ rule, to: edge.data.to, r: edge.data.r }] : [];
  });
  const results = await eachOf(edges, PARALLEL, (edge) => verifyEdge(parts, { ...on, ...edge }, call));
  const drift: InverseDrift[] = [];
  for (const result of results) {
    if (result === null) continue;
    if (isDenial(result)) return result;
    drift.push(result.drift);
  }
  return { kind: 'verified', drift };
}

interface Found {
  readonly kind: 'drift';
  readonly drift: InverseDrift;
}

type OneEdge = Verifying & { readonly rule: EdgeRule; readonly to: ObjectId; readonly r: number };

async function verifyEdge(parts: StoreParts, on: OneEdge, call: WriteCall): Promise<Found | Denial | null> {
  const { key, rule, to, fix } = on;
  const isForward = rule.derivedFrom === null;
  const forwardRule = isForward ? rule : rule.forward;
  if (forwardRule === null || forwardRule.inverse === null) return null;
  const from = isForward ? key : { tenant: key.tenant, type: rule.to, id: to };
  const target = isForward ? { tenant: key.tenant, type: rule.to, id: to } : key;
  // The inverse first: an inverse is never newer than its forward edge, so what is read second decides.
  const inverse = await readEdge(parts, { of: target, id: manyEdgeItemId(forwardRule.inverse, from.id) }, call);
  if (isDenial(inverse)) return inverse;
  const forward = await readEdge(parts, { of: from, id: edgeItemId(forwardRule, target.id) }, call);
  if (isDenial(forward)) return forward;
  const state = forward.item !== null && !isDead(forward.item) && forward.item.to === target.id ? forward.item : null;
  const isInverseLive = inverse.item !== null && !isDead(inverse.item);
  if (state === null ? !isInverseLive : isInverseLive && inverse.item?.r === state.r) return null;
  const drift: InverseDrift = {
    edgeType: forwardRule.edgeType,
    to: target.id,
    what: state === null ? 'orphan' : 'missing',
  };
  if (!fix) return { kind: 'drift', drift };
  const mirror = await mirrorOf(parts, { from, target, rule: forwardRule, state, inverseR: inverse.item?.r ?? 0 });
  if (isDenial(mirror)) return mirror;
  const fixed = await mirrorPair(parts, mirror, call);
  return isDenial(fixed) ? fixed : { kind: 'drift', drift };
}

function readEdge(parts: StoreParts, { of, id }: { readonly of: ObjectKey; readonly id: string }, call: WriteCall) {
  return readItem(parts, { pk: partitionKeyOf(of), id, schema: EdgeItem, consistency: 'critical' }, call);
}

interface Mirroring {
  readonly from: ObjectKey;
  readonly target: ObjectKey;
  readonly rule: EdgeRule;
  readonly state: Exclude<EdgeItem, { dead: true }> | null;
  readonly inverseR: number;
}

async function mirrorOf(parts: StoreParts, on: Mirroring): Promise<Mirror | Denial> {
  const { from, target, rule, state, inverseR } = on;
  const outbox: OutboxBody = {
    kind: 'pairs',
    ...{ tenant: from.tenant, fromType: from.type, fromId: from.id, edgeType: rule.edgeType },
    ...{ inverse: rule.inverse ?? rule.edgeType, toType: target.type, pairs: [], atMs: parts.now() },
  };
  // An inverse without its forward edge must stay older than what the forward edge may become.
  if (state === null) return { outbox, pair: { to: target.id, r: inverseR + 1 }, live: null };
  const { content, r, timeMs, id: itemId } = state;
  const binding = { tenant: from.tenant, pk: partitionKeyOf(from), itemId, type: rule.edgeType, r, timeMs };
  const data = content === undefined ? null : await parts.content.open(binding, content);
  if (data !== null && isDenial(data)) return data;
  return {
    outbox,
    pair: { to: target.id, r },
    live: { edgeType: rule.edgeType, toId: target.id, timeMs, data },
  };
}
