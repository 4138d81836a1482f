import 'server-only';
import type { Reader } from './client.ts';

/** What is stored under a type, as gateways counted it; `asOfMs` is of the oldest of its parts. */
export interface Stored {
  readonly count: number;
  readonly bytes: number;
  readonly asOfMs: number;
}

/**
 * What is stored under a type over all tenants, or of one. Null until every range was counted once: a part of a sum would
 * be taken for the whole.
 */
export async function readStored(db: Reader, type: string, tenant?: string): Promise<Stored | null> {
  const ranges = await db.backgroundRange.findMany({ select: { countedAt: true } });
  const counted = ranges.flatMap(({ countedAt }) => countedAt?.getTime() ?? []);
  if (ranges.length === 0 || counted.length < ranges.length) return null;
  const where = tenant === undefined ? { type } : { type, tenant };
  const { _sum } = await db.storedSum.aggregate({ where, _sum: { count: true, bytes: true } });
  return { count: Number(_sum.count ?? 0), bytes: Number(_sum.bytes ?? 0), asOfMs: Math.min(...counted) };
}
