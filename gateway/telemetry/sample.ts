import type { RequestRecord } from '#gateway/contract/telemetry.ts';
import type { Finished } from '#gateway/pipeline/record.ts';

/** Records kept of one second on one worker. */
const MAX_REFUSED = 50;
const MAX_FAILED = 50;
const NEWEST_PER_TYPE = 3;
const SLOWEST_PER_TENANT = 2;
const MAX_KEYS = 200;

/**
 * Chooses the requests whose records are kept: refusals and failures up to a rate, of the served ones the newest of each
 * (tenant, type) and the slowest of each tenant. Draining begins the next second.
 */
export interface Sample {
  offer(finished: Finished): void;
  drain(): RequestRecord[];
}

export function createSample(): Sample {
  const refused: RequestRecord[] = [];
  const failed: RequestRecord[] = [];
  const newest = new Map<string, RequestRecord[]>();
  const slowest = new Map<string, RequestRecord[]>();
  return {
    offer: ({ record, tenant, type }) => {
      if (record.outcome === 'failed') pushBounded(failed, record, MAX_FAILED);
      else if (record.outcome !== 'served' && record.outcome !== 'notFound') pushBounded(refused, record, MAX_REFUSED);
      else {
        const recent = listOf(newest, `${tenant}|${type}`);
        recent?.push(record);
        if (recent !== null && recent.length > NEWEST_PER_TYPE) recent.shift();
        keepSlowest(listOf(slowest, tenant), record);
      }
    },
    drain: () => {
      const served = [...newest.values(), ...slowest.values()].flat();
      const kept = new Set([...refused, ...failed, ...served]);
      refused.length = 0;
      failed.length = 0;
      newest.clear();
      slowest.clear();
      return [...kept].sort((a, b) => a.atMs - b.atMs);
    },
  };
}

function pushBounded(list: RequestRecord[], record: RequestRecord, most: number): void {
  if (list.length < most) list.push(record);
}

function listOf(lists: Map<string, RequestRecord[]>, key: string): RequestRecord[] | null {
  const found = lists.get(key);
  if (found !== undefined) return found;
  if (lists.size >= MAX_KEYS) return null;
  const list: RequestRecord[] = [];
  lists.set(key, list);
  return list;
}

function keepSlowest(list: RequestRecord[] | null, record: RequestRecord): void {
  if (list === null) return;
  const last = list.at(-1);
  if (last !== undefined && list.length === SLOWEST_PER_TENANT && last.durationUs >= record.durationUs) return;
  list.push(record);
  list.sort((a, b) => b.durationUs - a.durationUs);
  list.length = Math.min(list.length, SLOWEST_PER_TENANT);
}
