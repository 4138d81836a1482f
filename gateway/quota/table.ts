/**
 * The token buckets of all tenants in one SharedArrayBuffer, so that the workers of a process share one exact bucket
 * without messages. Each bucket is one 64-bit cell in the generic cell rate algorithm (GCRA, ITU-T I.371): the
 * theoretical arrival time of the next unit, nanoseconds of the monotonic clock. The limit is a parameter of each call,
 * so a changed one bites with its release; a second cell remembers it, since a debt of so many units is another time
 * under another limit.
 */
export interface QuotaTable {
  readonly cells: BigInt64Array;
  /** Limit under which a cell was last used, thousandths a second; 0 before its first use. */
  readonly limits: BigInt64Array;
  readonly inFlight: Int32Array;
  /** Buckets of objects, see object-writes.ts. */
  readonly objects: BigInt64Array;
  readonly header: Int32Array;
  readonly workers: number;
}

/** Tenants that one gateway can hold buckets for. A release with more is rejected. */
export const MAX_SLOTS = 16_384;
export const OBJECT_ROWS = 65_536;
const DIMENSIONS = ['reads', 'writes', 'ru'] as const;
export type RateDimension = (typeof DIMENSIONS)[number];

const HEADER_BYTES = 64;
const BUCKETS = MAX_SLOTS * DIMENSIONS.length;
const CELL_BYTES = BUCKETS * 8;
const SECOND_NS = 1_000_000_000;

/** The shared memory of a table for so many workers. */
export function allocateQuotas(workers: number): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(objectsAt(workers) + OBJECT_ROWS * 8);
  Atomics.store(new Int32Array(buffer, 0, 1), 0, 1);
  return buffer;
}

/** Where the buckets of objects begin. */
function objectsAt(workers: number): number {
  return HEADER_BYTES + 2 * CELL_BYTES + MAX_SLOTS * workers * 4;
}

export function openQuotas(buffer: SharedArrayBuffer, workers: number): QuotaTable {
  return {
    header: new Int32Array(buffer, 0, HEADER_BYTES / 4),
    cells: new BigInt64Array(buffer, HEADER_BYTES, BUCKETS),
    limits: new BigInt64Array(buffer, HEADER_BYTES + CELL_BYTES, BUCKETS),
    inFlight: new Int32Array(buffer, HEADER_BYTES + 2 * CELL_BYTES, MAX_SLOTS * workers),
    objects: new BigInt64Array(buffer, objectsAt(workers), OBJECT_ROWS),
    workers,
  };
}

/** How many gateways share each fleet-wide limit. */
export function liveGateways(table: QuotaTable): number {
  return Math.max(1, Atomics.load(table.header, 0));
}

export function setLiveGateways(table: QuotaTable, count: number): void {
  Atomics.store(table.header, 0, Math.max(1, count));
}

export interface Bucket {
  readonly slot: number;
  readonly dimension: RateDimension;
  /** This gateway's share of the limit. */
  readonly perSecond: number;
}

export type Taken =
  | { readonly ok: true; readonly remaining: number }
  | { readonly ok: false; readonly remaining: number; readonly retryAfterMs: number };

/**
 * Takes `units` when the bucket, which holds one second of its limit (and at least one unit), has them. With `force` it
 * takes them in any case, into a debt of at most one second of the limit. Units may be negative with `force`.
 */
export function take(table: QuotaTable, bucket: Bucket, units: number, at: { nowNs: bigint; force: boolean }): Taken {
  const { perSecond } = bucket;
  if (perSecond <= 0) return at.force ? { ok: true, remaining: 0 } : { ok: false, remaining: 0, retryAfterMs: 1_000 };
  const index = bucket.slot * DIMENSIONS.length + DIMENSIONS.indexOf(bucket.dimension);
  const unitNs = SECOND_NS / perSecond;
  rescale(table, index, { perSecond, nowNs: at.nowNs });
  return takeFrom({ cells: table.cells, index }, { unitNs, burstNs: Math.max(SECOND_NS, unitNs), units }, at);
}

/** The same from any cell: a unit lasts `unitNs`, and the bucket holds `burstNs` of them. */
export function takeFrom(
  { cells, index }: { readonly cells: BigInt64Array; readonly index: number },
  need: { readonly unitNs: number; readonly burstNs: number; readonly units: number },
  at: { readonly nowNs: bigint; readonly force: boolean },
): Taken {
  const { unitNs, burstNs, units } = need;
  const costNs = Math.min(Math.abs(units) * unitNs, burstNs) * Math.sign(units);
  for (;;) {
    const seen = Atomics.load(cells, index);
    const aheadNs = Math.max(0, Number(seen - at.nowNs));
    const nextNs = aheadNs + costNs;
    if (!at.force && nextNs > burstNs) {
      const retryAfterMs = Math.max(1, Math.ceil((nextNs - burstNs) / 1e6));
      return { ok: false, remaining: whole((burstNs - aheadNs) / unitNs), retryAfterMs };
    }
    const cappedNs = Math.max(0, Math.min(nextNs, burstNs + SECOND_NS));
    const next = at.nowNs + BigInt(Math.round(cappedNs));
    if (Atomics.compareExchange(cells, index, seen, next) === seen) {
      return { ok: true, remaining: whole((burstNs - cappedNs) / unitNs) };
    }
  }
}

/** When the limit changed, turns the time that a bucket is ahead into the time that the same units take now. */
function rescale({ cells, limits }: QuotaTable, index: number, now: { perSecond: number; nowNs: bigint }): void {
  const limit = BigInt(Math.max(1, Math.round(now.perSecond * 1_000)));
  const before = Atomics.load(limits, index);
  if (before === limit || Atomics.compareExchange(limits, index, before, limit) !== before || before === 0n) return;
  for (;;) {
    const seen = Atomics.load(cells, index);
    const ahead = seen - now.nowNs;
    if (ahead <= 0n) return;
    if (Atomics.compareExchange(cells, index, seen, now.nowNs + (ahead * before) / limit) === seen) return;
  }
}

function whole(units: number): number {
  return Math.max(0, Math.floor(units + 1e-6));
}

/** Adds a request in flight for a tenant on one worker; false, and nothing added, when all workers hold `limit`. */
export function enter(table: QuotaTable, at: { slot: number; worker: number }, limit: number): boolean {
  Atomics.add(table.inFlight, at.slot * table.workers + at.worker, 1);
  let sum = 0;
  for (let worker = 0; worker < table.workers; worker++) {
    sum += Atomics.load(table.inFlight, at.slot * table.workers + worker);
  }
  if (sum <= limit) return true;
  leave(table, at);
  return false;
}

export function leave(table: QuotaTable, at: { slot: number; worker: number }): void {
  Atomics.sub(table.inFlight, at.slot * table.workers + at.worker, 1);
}

/** Forgets the requests in flight of a worker that died: nobody will settle them. */
export function forgetWorker(table: QuotaTable, worker: number): void {
  for (let slot = 0; slot < MAX_SLOTS; slot++) Atomics.store(table.inFlight, slot * table.workers + worker, 0);
}
