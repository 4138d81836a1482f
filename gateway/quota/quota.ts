import type { QuotaAnswer, QuotaNeed, QuotaPort } from '#gateway/pipeline/admit.ts';
import type { TenantEntry } from '#gateway/pipeline/indexes.ts';
import { OBJECT_WRITES_PER_SECOND, takeObjectWrites } from './object-writes.ts';
import { type Bucket, enter, leave, liveGateways, type QuotaTable, take } from './table.ts';

/**
 * Admission by the tenant's quota over the shared table. Fleet-wide limits are divided by the gateways that live now;
 * in-flight is per gateway. Reads and writes are taken first and given back when RU is short, so a refused request
 * costs nothing.
 */
export function createQuota(table: QuotaTable, options: { worker: number; nowNs: () => bigint }): QuotaPort {
  const { worker, nowNs } = options;
  return {
    admit: (tenant, need) => {
      const answer = tryAdmit({ table, worker, nowNs: nowNs() }, tenant, need);
      if (answer.admitted || tenant.mode === 'enforce') return answer;
      // Shadow: the request goes through and is booked, into debt where the bucket is empty.
      const at = { nowNs: nowNs(), force: true };
      const buckets = bucketsOf(table, tenant, need.kind);
      take(table, buckets.requests, need.operations, at);
      take(table, buckets.ru, need.estimateRu, at);
      if (need.object !== null) takeObjectWrites(table, { object: need.object, writes: need.operations }, at);
      enter(table, { slot: tenant.slot, worker }, Number.POSITIVE_INFINITY);
      return { admitted: true, state: answer.state, hold: { tenant, reservedRu: need.estimateRu } };
    },
    settle: ({ tenant, reservedRu }, usedRu) => {
      leave(table, { slot: tenant.slot, worker });
      const { ru } = bucketsOf(table, tenant, 'reads');
      take(table, ru, usedRu - reservedRu, { nowNs: nowNs(), force: true });
    },
  };
}

interface Place {
  readonly table: QuotaTable;
  readonly worker: number;
  readonly nowNs: bigint;
}

function tryAdmit(place: Place, tenant: TenantEntry, need: QuotaNeed): QuotaAnswer {
  const { table, worker, nowNs } = place;
  const at = { nowNs, force: false };
  const { requests, ru } = bucketsOf(table, tenant, need.kind);
  const where = { slot: tenant.slot, worker };
  const limit = tenant.quotas.inFlight;
  if (!enter(table, where, limit)) {
    const state = { dimension: 'inFlight', limitPerSecond: limit, remaining: 0 };
    return { admitted: false, dimension: 'inFlight', retryAfterMs: 100, state };
  }
  const one = take(table, requests, need.operations, at);
  const state = { dimension: need.kind, limitPerSecond: requests.perSecond, remaining: one.remaining };
  if (!one.ok) {
    leave(table, where);
    return { admitted: false, dimension: need.kind, retryAfterMs: one.retryAfterMs, state };
  }
  const units = take(table, ru, need.estimateRu, at);
  const writes = units.ok ? takeWrites(place, need) : null;
  if (units.ok && writes === null) return { admitted: true, state, hold: { tenant, reservedRu: need.estimateRu } };
  leave(table, where);
  const back = { nowNs, force: true };
  take(table, requests, -need.operations, back);
  if (!units.ok) {
    const ruState = { dimension: 'ru', limitPerSecond: ru.perSecond, remaining: units.remaining };
    return { admitted: false, dimension: 'ru', retryAfterMs: units.retryAfterMs, state: ruState };
  }
  take(table, ru, -need.estimateRu, back);
  const writesState = { dimension: 'objectWrites', limitPerSecond: OBJECT_WRITES_PER_SECOND, remaining: 0 };
  return { admitted: false, dimension: 'objectWrites', retryAfterMs: writes ?? 1, state: writesState };
}

/** Milliseconds to wait when the object takes no more writes now, else null. */
function takeWrites({ table, nowNs }: Place, { object, operations }: QuotaNeed): number | null {
  if (object === null) return null;
  const taken = takeObjectWrites(table, { object, writes: operations }, { nowNs, force: false });
  return taken.ok ? null : taken.retryAfterMs;
}

function bucketsOf(table: QuotaTable, tenant: TenantEntry, kind: 'reads' | 'writes'): { requests: Bucket; ru: Bucket } {
  const share = liveGateways(table);
  const { readsPerSecond, writesPerSecond, ruPerSecond } = tenant.quotas;
  const perSecond = (kind === 'reads' ? readsPerSecond : writesPerSecond) / share;
  return {
    requests: { slot: tenant.slot, dimension: kind, perSecond },
    ru: { slot: tenant.slot, dimension: 'ru', perSecond: ruPerSecond / share },
  };
}
