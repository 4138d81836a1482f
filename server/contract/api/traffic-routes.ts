import { AuditPage, AuditQuery } from '../audit.ts';
import { LatencyIndex, LatencyQuery, TenantLatency } from '../latency.ts';
import { Gateways } from '../releases.ts';
import { RequestDetail, RequestPage, RequestQuery } from '../requests.ts';
import type { ApiRoutes } from './api-route.ts';

/** Routes of what happened: requests, latency, gateways, the audit log. */
export const TRAFFIC_ROUTES = {
  'GET /api/requests': {
    summary: 'Kept requests: refusals, failures, slow ones, a bounded sample.',
    tag: 'traffic',
    scope: 'traffic:read',
    query: RequestQuery,
    reply: RequestPage,
  },
  'GET /api/requests/{id}': {
    summary: 'One kept request with advice.',
    tag: 'traffic',
    scope: 'traffic:read',
    reply: RequestDetail,
    errors: ['not_found'],
  },
  'GET /api/latency': {
    summary: 'Latency of each tenant.',
    tag: 'traffic',
    scope: 'traffic:read',
    query: LatencyQuery,
    reply: LatencyIndex,
  },
  'GET /api/latency/{tenant}': {
    summary: 'Latency of one tenant over time.',
    tag: 'traffic',
    scope: 'traffic:read',
    query: LatencyQuery,
    reply: TenantLatency,
    errors: ['not_found'],
  },
  'GET /api/gateways': {
    summary: 'Every gateway and what it serves.',
    tag: 'traffic',
    scope: 'definitions:read',
    reply: Gateways,
  },
  'GET /api/audit': {
    summary: 'The audit log, newest first.',
    tag: 'audit',
    scope: 'audit:read',
    query: AuditQuery,
    reply: AuditPage,
  },
} as const satisfies ApiRoutes;
