import { MAX_SLOTS } from './table.ts';

/**
 * Places of tenants in the shared table. A tenant keeps its place for the life of the process, so its buckets survive
 * every release.
 */
export interface Slots {
  /** Places for all these tenants, or null when they do not fit. */
  assign(tenants: readonly string[]): Readonly<Record<string, number>> | null;
}

export function createSlots(): Slots {
  const places = new Map<string, number>();
  return {
    assign: (tenants) => {
      const fresh = tenants.filter((tenant) => !places.has(tenant));
      if (places.size + fresh.length > MAX_SLOTS) return null;
      for (const tenant of fresh) places.set(tenant, places.size);
      return Object.fromEntries(tenants.map((tenant) => [tenant, places.get(tenant) ?? 0]));
    },
  };
}
