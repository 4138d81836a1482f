import { handle } from '#server/http/handle.ts';
import { TenantLatencyQuery, tenantLatency } from '#server/telemetry/tenant-latency.ts';

export const GET = handle(TenantLatencyQuery, tenantLatency);
