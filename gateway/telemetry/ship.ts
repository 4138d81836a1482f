import type { RequestRecord, TelemetryShipment } from '#gateway/contract/telemetry.ts';
import type { ConsoleClient } from '#gateway/release/console-client.ts';
import { createSeries, type Series, type SeriesBatch } from './series.ts';

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
  const state: State = { ...options, series: createSeries(), records: [], seq: 1, lost: 0, pending: null };
  let underway: Promise<void> | null = null;
  let seriesDueMs = options.nowMs() + SERIES_EVERY_MS;
  const ship = (withSeries: boolean) => {
    underway ??= shipAll(state, withSeries).finally(() => {
      underway = null;
    });
    return underway;
  };
  return {
    absorb: (batch) => state.series.absorb(batch),
    addRecords: (fresh) => {
      state.records.push(...fresh);
      if (state.records.length > MAX_RECORDS) {
        state.lost += state.records.splice(0, state.records.length - MAX_RECORDS).length;
      }
    },
    tick: async () => {
      const nowMs = options.nowMs();
      state.lost += state.series.dropBefore(nowMs - KEEP_MS);
      const isDue = nowMs >= seriesDueMs;
      if (isDue) seriesDueMs = nowMs + SERIES_EVERY_MS;
      await ship(isDue);
    },
    flush: async () => {
      // What is under way may have begun without the newest.
      await underway;
      await ship(true);
    },
    lost: () => state.lost,
  };
}

interface State extends Options {
  readonly series: Series;
  readonly records: RequestRecord[];
  seq: number;
  lost: number;
  pending: TelemetryShipment | null;
}

async function shipAll(state: State, withSeries: boolean): Promise<void> {
  for (let first = true; ; first = false) {
    state.pending ??= next(state, withSeries && first);
    if (state.pending === null || !(await send(state, state.pending))) return;
  }
}

function next({ boot, seq, series, records }: State, withSeries: boolean): TelemetryShipment | null {
  if (records.length === 0 && (!withSeries || series.isEmpty())) return null;
  const counted = withSeries ? series.drain() : { tenants: [], types: [], principals: [] };
  return { boot, seq, ...counted, requests: records.splice(0, MAX_RECORDS_A_SHIPMENT) };
}

/** Whether the way is free for the next one. */
async function send(state: State, shipment: TelemetryShipment): Promise<boolean> {
  const answer = await state.client.post('telemetry', shipment);
  if (answer.kind === 'away') return false;
  state.pending = null;
  if (answer.kind === 'ok') state.seq += 1;
  else {
    state.lost += shipment.requests.length;
    state.say(`The console refused telemetry (${answer.status}): ${answer.message}`);
  }
  return true;
}
