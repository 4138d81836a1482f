import { AuditRow } from '#gateway/contract/audit.ts';
import { bucketOf, mergeHistograms } from '#gateway/contract/histogram.ts';
import { RequestRecord, TelemetryShipment } from '#gateway/contract/telemetry.ts';

type TenantSeries = TelemetryShipment['tenants'][number];

/** One series of a shipment from the durations it stands for. */
export function seriesOf(
  bucketMs: number,
  durationsUs: readonly number[],
  more: Partial<TenantSeries> = {},
): TenantSeries {
  return {
    tenant: 'chat',
    bucketMs,
    operation: 'object.get',
    outcome: 'served',
    histogram: mergeHistograms(durationsUs.map((us) => [[bucketOf(us), 1]])),
    count: durationsUs.length,
    maxUs: Math.max(...durationsUs),
    sumUs: durationsUs.reduce((sum, us) => sum + us, 0),
    ru: durationsUs.length,
    cacheHits: 0,
    cacheMisses: 0,
    ...more,
  };
}

export function shipmentOf(seq: number, more: Partial<TelemetryShipment> = {}): TelemetryShipment {
  return TelemetryShipment.parse({ boot: 'b1', seq, tenants: [], types: [], principals: [], requests: [], ...more });
}

export function recordOf(id: string, atMs: number, more: Partial<RequestRecord> = {}): RequestRecord {
  return RequestRecord.parse({
    id,
    atMs,
    gateway: 'gw-a',
    worker: 0,
    release: 1,
    tenant: 'chat',
    principal: 'chat-api',
    actorKind: 'service',
    keyId: 'abcdefghijkl',
    operation: 'object.get',
    type: 'Message',
    objectId: 'm1',
    edgeType: null,
    status: 200,
    code: null,
    message: null,
    outcome: 'served',
    policy: 'team-owns-type',
    durationUs: 2_000,
    ru: 1,
    stages: { auth: 20, policy: 5, store: 1_800 },
    quota: null,
    attempts: [
      {
        status: 200,
        subStatus: 0,
        ru: 1,
        us: 1_700,
        region: 'East',
        hedge: false,
        overtaken: false,
        retryAfterMs: null,
      },
    ],
    ...more,
  });
}

export function auditRowOf(seq: number, atMs: number, more: Partial<AuditRow> = {}): AuditRow {
  return AuditRow.parse({
    seq,
    atMs,
    phase: 'refusal',
    requestId: `req_${seq}`,
    release: 1,
    tenant: 'chat',
    principal: 'chat-api',
    actorKind: 'service',
    keyId: 'abcdefghijkl',
    operation: 'object.get',
    type: 'Message',
    objectId: `m${seq}`,
    edgeType: null,
    toId: null,
    code: 'forbidden',
    status: 403,
    policy: null,
    version: null,
    count: 1,
    ...more,
  });
}
