/** Bad credentials that one address may send: a burst, then so many a second. */
const BURST = 40;
const PER_SECOND = 20;
const MAX_ADDRESSES = 10_000;

/**
 * What strangers pay with instead of a tenant's quota: an allowance per address. Returns the milliseconds to wait when
 * it is spent, else null. Memory is bounded: the addresses that came first are forgotten first.
 */
export function createRefusalBucket(nowMs: () => number): (address: string) => number | null {
  const dueMs = new Map<string, number>();
  const stepMs = 1_000 / PER_SECOND;
  return (address) => {
    const now = nowMs();
    const due = Math.max(now, dueMs.get(address) ?? 0) + stepMs;
    const overMs = due - now - BURST * stepMs;
    if (overMs > 0) return Math.ceil(overMs);
    if (!dueMs.has(address) && dueMs.size >= MAX_ADDRESSES) {
      const [oldest] = dueMs.keys();
      if (oldest !== undefined) dueMs.delete(oldest);
    }
    dueMs.set(address, due);
    return null;
  };
}
