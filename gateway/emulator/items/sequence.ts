import { type Container, RANGE_ID } from '#gateway/emulator/catalog/container.ts';
import type { Store } from '#gateway/emulator/store/open-store.ts';

/** Operations of one request share a sequence number; this many fit under it. */
const OPERATIONS_PER_LSN = 128;

/** Takes the next log sequence number of the container's range. Rolls back with the request that took it. */
export function nextLsn(store: Store, container: Container): number {
  const row = store
    .prepare('UPDATE ranges SET lsn = lsn + 1 WHERE container = ? AND id = ? RETURNING lsn')
    .get(container.num, RANGE_ID);
  return Number(row?.lsn);
}

export function currentLsn(store: Store, container: Container): number {
  const row = store.prepare('SELECT lsn FROM ranges WHERE container = ? AND id = ?').get(container.num, RANGE_ID);
  return Number(row?.lsn ?? 0);
}

/** A row number never used before, increasing in the order of writes. */
export const docNumber = (lsn: number, operation: number): number => lsn * OPERATIONS_PER_LSN + operation;

/** A new etag for every write, quoted as the service quotes it. */
export function etagOf(container: Container, lsn: number, operation: number): string {
  const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');
  return `"${hex(container.num, 8)}-0000-${hex(operation, 4)}-0000-${hex(lsn, 12)}"`;
}
