import { LatencyQuery } from '#server/contract/latency.ts';
import { handle } from '#server/http/handle.ts';
import { latencyIndex } from '#server/telemetry/latency-index.ts';

export const GET = handle(LatencyQuery, latencyIndex);
