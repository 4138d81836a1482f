import type { RequestRecord, TelemetryShipment } from '#gateway/contract/telemetry.ts';
import type { ConsoleClient } from '#gateway/release/console-client.ts';
import { createSeries, type SeriesBatch } from './series.ts';

const SERIES_EVERY_MS = 5_000;
/** While the console is away, an hour of series and the newest records are kept. */
const KEEP_MS = 3_600_000;
const MAX_RECORDS = 2_000;
const MAX_RECORDS_A_SHIPMENT = 500;

export interface TelemetryShipping {
  absorb(batch: SeriesBatch): void;
  addRecords(records: readonly RequestRecord[]): void;
  /** Ships what is due: series every 5 s, records whenever there are any. Called every second; never rejects. */
  tick(): Promise<void>;
  /** Ships everything once, as far as the console answers. */
  flush(): Promise<void>;
  /** Requests and records that were given up because the console was away too long. */
  lost(): number;
}

interface Options {
  readonly boot: string;
  readonly client: ConsoleClient;
  readonly nowMs: () => number;
  readonly say: (sentence: string) => void;
}

/**
 * One shipment is under way at a time, and keeps its (boot, seq) until the console took it: a repeated one is counted
 * once, and no number is ever skipped. What comes meanwhile gathers for the next.
 */
export function createTelemetryShipping(options: Options): TelemetryShipping {
  const series = createSeries();
  const records: RequestRecord[] = [];
  let seq = 1;
  let lost = 0;
  let pending: TelemetryShipment | null = null;
  let busy = false;
  let seriesDueMs = options.nowMs() + SERIES_EVERY_MS;

  const next = (withSeries: boolean): TelemetryShipment | null => {
    if (!withSeries && records.length === 0) return null;
    if (series.isEmpty() && records.length === 0) return null;
    const counted = withSeries ? series.drain() : { tenants: [], types: [], principals: [] };
    return { boot: options.boot, seq, ...counted, requests: records.splice(0, MAX_RECORDS_A_SHIPMENT) };
  };

  /** Whether the way is free for the next one. */
  const send = async (shipment: TelemetryShipment): Promise<boolean> => {
    const answer = await options.client.post('telemetry', shipment);
    if (answer.kind === 'away') return false;
    pending = null;
    if (answer.kind === 'ok') seq += 1;
    else {
      lost += shipment.requests.length;
      options.say(`The console refused telemetry (${answer.status}): ${answer.message}`);
    }
    return true;
  };

  const shipAll = async (withSeries: boolean): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      for (let first = true; ; first = false) {
        pending ??= next(withSeries && first);
        if (pending === null || !(await send(pending))) return;
      }
    } finally {
      busy = false;
    }
  };

  return {
    absorb: (batch) => series.absorb(batch),
    addRecords: (fresh) => {
      records.push(...fresh);
      if (records.length > MAX_RECORDS) lost += records.splice(0, records.length - MAX_RECORDS).length;
    },
    tick: async () => {
      const nowMs = options.nowMs();
      lost += series.dropBefore(nowMs - KEEP_MS);
      const isDue = nowMs >= seriesDueMs;
      if (isDue) seriesDueMs = nowMs + SERIES_EVERY_MS;
      await shipAll(isDue);
    },
    flush: () => shipAll(true),
    lost: () => lost,
  };
}
