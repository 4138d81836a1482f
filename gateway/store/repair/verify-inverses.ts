import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { EdgeRule, ObjectKey, WriteCall } from '#gateway/pipeline/store-port.ts';
import { eachOf } from '#gateway/store/each-of.ts';
import { EdgeItem, isDead, type OutboxBody } from '#gateway/store/layout/items.ts';
import { partitionKeyOf } from '#gateway/store/layout/keys.ts';
import { type Mirror, mirrorPair } from '#gateway/store/ops/apply-inverse.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { endsOf, type Pair, type PairState, pairOf, readPair } from './pair.ts';
import type { AnyItem } from './recount.ts';

const PARALLEL = 8;

export interface InverseDrift {
  /** The forward edge type. */
  readonly edgeType: string;
  readonly from: string;
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
  const { key, rules, fix } = on;
  const pairs = on.items.flatMap((item) => {
    const edge = EdgeItem.safeParse(item);
    const rule = edge.success ? rules.find(({ edgeType }) => edgeType === edge.data.type) : undefined;
    if (!edge.success || rule === undefined || isDead(edge.data)) return [];
    return pairOf(key, rule, edge.data.to) ?? [];
  });
  const results = await eachOf(pairs, PARALLEL, (pair) => verifyPair(parts, { pair, fix }, call));
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

async function verifyPair(
  parts: StoreParts,
  { pair, fix }: { readonly pair: Pair; readonly fix: boolean },
  call: WriteCall,
): Promise<Found | Denial | null> {
  const state = await readPair(parts, pair, call);
  if (isDenial(state)) return state;
  if (state.differs === null) return null;
  const found: Found = { kind: 'drift', drift: inverseDriftOf(pair, state.differs) };
  if (!fix) return found;
  const mirror = await mirrorOf(parts, pair, state);
  if (isDenial(mirror)) return mirror;
  const fixed = await mirrorPair(parts, mirror, call);
  return isDenial(fixed) ? fixed : found;
}

export function inverseDriftOf({ rule, fromId, toId }: Pair, what: InverseDrift['what']): InverseDrift {
  return { edgeType: rule.edgeType, from: fromId, to: toId, what };
}

async function mirrorOf(parts: StoreParts, pair: Pair, { forward, inverse }: PairState): Promise<Mirror | Denial> {
  const { rule, toId } = pair;
  const { from, to } = endsOf(pair);
  const outbox: OutboxBody = {
    kind: 'pairs',
    ...{ tenant: from.tenant, fromType: from.type, fromId: from.id, edgeType: rule.edgeType },
    ...{ inverse: rule.inverse, toType: to.type, pairs: [], atMs: parts.now() },
  };
  // An inverse without its forward edge must stay older than what the forward edge may become.
  if (forward === null) return { outbox, pair: { to: toId, r: (inverse?.r ?? 0) + 1 }, live: null };
  const { content, r, timeMs, id: itemId } = forward;
  const binding = { tenant: from.tenant, pk: partitionKeyOf(from), itemId, type: rule.edgeType, r, timeMs };
  const data = content === undefined ? null : await parts.content.open(binding, content);
  if (data !== null && isDenial(data)) return data;
  return { outbox, pair: { to: toId, r }, live: { edgeType: rule.edgeType, toId, timeMs, data } };
}
