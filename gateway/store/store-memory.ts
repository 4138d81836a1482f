import { allocateRegionTable } from './regions/shared-table.ts';
import { allocateSessionRows } from './session-rows.ts';
import { allocateWriteMarks } from './write-marks.ts';

/** What the workers of a process know together of the store; given to each of them. */
export interface StoreMemory {
  readonly regions: SharedArrayBuffer;
  readonly sessions: SharedArrayBuffer;
  readonly writes: SharedArrayBuffer;
}

export function allocateStoreMemory(): StoreMemory {
  return { regions: allocateRegionTable(), sessions: allocateSessionRows(), writes: allocateWriteMarks() };
}
