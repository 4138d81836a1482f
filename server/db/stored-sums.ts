import 'server-only';
import type { Reader } from './client.ts';

/** What is stored under a type, as gateways counted it; `asOfMs` is of the oldest of its parts. */
export interface Stored {
  readonly count: number;
  readonly bytes: number;
  /** Of an object type: what the largest object takes with its edges; null while nothing is stored, or nobody told. */
  readonly largestBytes: number | null;
  /** Of an edge type: how many of it the object with most of them has; null as above. */
  readonly longestList: number | null;
  readonly asOfMs: number;
}

export interface StoredOfTenant {
  readonly asOfMs: number;
  /** By name; a type that was removed is among them while something of it is stored. */
  readonly types: readonly { readonly type: string; readonly count: number; readonly bytes: number }[];
}

/**
 * What is stored under a type over all tenants, or of one. Null until every range was counted once: a part of a sum would
 * be taken for the whole.
 */
export async function readStored(db: Reader, type: string, tenant?: string): Promise<Stored | null> {
  const asOfMs = await readCountedMs(db);
  if (asOfMs === null) return null;
  const where = tenant === undefined ? { type } : { type, tenant };
  const { _sum, _max } = await db.storedSum.aggregate({
    where,
    _sum: { count: true, bytes: true },
    _max: { largestBytes: true, longestList: true },
  });
  const { largestBytes, longestList } = _max;
  return { ...sumOf(_sum), largestBytes: largestBytes === null ? null : Number(largestBytes), longestList, asOfMs };
}

/** What is stored of a tenant by type, null as above. */
export async function readStoredOfTenant(db: Reader, tenant: string): Promise<StoredOfTenant | null> {
  const asOfMs = await readCountedMs(db);
  if (asOfMs === null) return null;
  const sums = await db.storedSum.groupBy({
    by: ['type'],
    where: { tenant },
    _sum: { count: true, bytes: true },
    orderBy: { type: 'asc' },
  });
  const types = sums.map(({ type, _sum }) => ({ type, ...sumOf(_sum) }));
  return { asOfMs, types: types.filter(({ count }) => count > 0) };
}

/** As of when everything is counted; null while some range was not. */
async function readCountedMs(db: Reader): Promise<number | null> {
  const ranges = await db.backgroundRange.findMany({ select: { countedAt: true } });
  const counted = ranges.flatMap(({ countedAt }) => countedAt?.getTime() ?? []);
  return ranges.length === 0 || counted.length < ranges.length ? null : Math.min(...counted);
}

function sumOf({ count, bytes }: { readonly count: bigint | null; readonly bytes: bigint | null }) {
  return { count: Number(count ?? 0), bytes: Number(bytes ?? 0) };
}
