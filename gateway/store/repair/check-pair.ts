import { z } from 'zod';
import { type Denial, isDenial } from '#gateway/pipeline/denial.ts';
import type { WriteCall } from '#gateway/pipeline/store-port.ts';
import { partitionKeyOf } from '#gateway/store/layout/keys.ts';
import type { StoreParts } from '#gateway/store/parts.ts';
import { queryPartition } from '#gateway/store/read/query-partition.ts';
import { endsOf, type Pair, type PairState, readPair } from './pair.ts';
import { type InverseDrift, inverseDriftOf } from './verify-inverses.ts';

export interface PairCheck {
  readonly kind: 'checked';
  readonly drift: InverseDrift | null;
}

const Entry = z.object({ done: z.boolean().optional() });
const ENTRIES = { query: 'SELECT * FROM c WHERE c.id >= "x~" AND c.id < "x~~"', parameters: [] };
const MOST_ENTRIES = 1_000;

/**
 * Whether an inverse differs from its forward edge although nothing is left to apply. A difference while an entry of the
 * forward edge's outbox is open is that entry's to settle. What differs is read a second time after the outbox: an entry is
 * closed after its inverse is written, so the same revisions then have no entry that stands for them. 2 RU when they agree.
 */
export async function checkPair(parts: StoreParts, pair: Pair, call: WriteCall): Promise<PairCheck | Denial> {
  const agrees: PairCheck = { kind: 'checked', drift: null };
  const first = await readPair(parts, pair, call);
  if (isDenial(first)) return first;
  if (first.differs === null) return agrees;
  const pk = partitionKeyOf(endsOf(pair).from);
  const query = { pk, query: ENTRIES, schema: Entry, limit: MOST_ENTRIES };
  const entries = await queryPartition(parts, query, { ...call, consistency: 'critical' });
  if (isDenial(entries)) return entries;
  if (entries.items.some(({ done }) => done !== true)) return agrees;
  const second = await readPair(parts, pair, call);
  if (isDenial(second)) return second;
  if (second.differs === null || !isSame(first, second)) return agrees;
  return { kind: 'checked', drift: inverseDriftOf(pair, second.differs) };
}

function isSame(first: PairState, second: PairState): boolean {
  return first.forward?.r === second.forward?.r && first.inverse?.r === second.inverse?.r;
}
