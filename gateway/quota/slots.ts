import { MAX_SLOTS } from './table.ts';

/**
 * Places of tenants in the shared table. A tenant keeps its place for the life of the process, so its buckets survive
 * every release.
 */
export interface Slots {
  /** Places for all these tenants, in their order and for all threads to read; null when they do not fit. */
  assign(tenants: readonly string[]): Int32Array<SharedArrayBuffer> | null;
}

export function createSlots(): Slots {
  const places = new Map<string, number>();
  return {
    assign: (tenants) => {
      const fresh = tenants.filter((tenant) => !places.has(tenant));
      if (places.size + fresh.length > MAX_SLOTS) return null;
      for (const tenant of fresh) places.set(tenant, places.size);
      const assigned = new Int32Array(new SharedArrayBuffer(tenants.length * Int32Array.BYTES_PER_ELEMENT));
      assigned.set(tenants.map((tenant) => places.get(tenant) ?? 0));
      return assigned;
    },
  };
}
