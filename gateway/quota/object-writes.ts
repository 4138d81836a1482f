import { hashText } from '#gateway/store/hash-text.ts';
import { OBJECT_ROWS, type QuotaTable, type Taken, takeFrom } from './table.ts';

/**
 * Writes that a gateway sends to one object, whatever its tenant may: everything of an object lies in one logical partition,
 * which takes 10,000 RU a second in Cosmos. So a hot object is slowed down before its partition throttles.
 */
export const OBJECT_WRITES_PER_SECOND = 50;
export const OBJECT_WRITES_BURST = 350;

const UNIT_NS = 1_000_000_000 / OBJECT_WRITES_PER_SECOND;

/**
 * Takes writes from the object's bucket. Objects share buckets by the hash of their names: 65,536 of them, so two hot objects
 * that meet are rare, and then they are slowed down together. Negative writes are given back.
 */
export function takeObjectWrites(
  { objects }: QuotaTable,
  write: { readonly object: string; readonly writes: number },
  at: { readonly nowNs: bigint; readonly force: boolean },
): Taken {
  const cell = { cells: objects, index: hashText(write.object) % OBJECT_ROWS };
  const burstNs = OBJECT_WRITES_BURST * UNIT_NS;
  return takeFrom(cell, { unitNs: UNIT_NS, burstNs, units: write.writes }, at);
}
