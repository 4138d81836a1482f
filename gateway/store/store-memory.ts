import { allocateRegionTable } from './regions/shared-table.ts';
import { allocateSessionRows } from './session-rows.ts';

/** What the workers of a process know together of the store; given to each of them. */
export interface StoreMemory {
  readonly regions: SharedArrayBuffer;
  readonly sessions: SharedArrayBuffer;
}

export function allocateStoreMemory(): StoreMemory {
  return { regions: allocateRegionTable(), sessions: allocateSessionRows() };
}
