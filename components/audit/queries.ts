import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { apiGet } from '#components/api-client.ts';
import { type AUDIT_TABS, AuditPage } from '#server/contract/audit.ts';

export type LoadedAudit = z.infer<typeof AuditPage>;

export interface AuditListQuery {
  readonly tab: (typeof AUDIT_TABS)[number];
  readonly filter: string;
  readonly cursor: string | undefined;
}

/** A page of the log. The newest page follows the log; older ones stand still. */
export const auditQuery = (query: AuditListQuery) =>
  queryOptions({
    queryKey: ['log', query],
    queryFn: ({ signal }) => apiGet('/api/audit', AuditPage, { query: { ...query }, signal }),
    placeholderData: keepPreviousData,
    meta: { topics: query.cursor === undefined ? ['audit'] : [] },
  });

/** The newest row that fits a filter without its times: where an empty list may look instead. */
export const nearestRowQuery = (query: Omit<AuditListQuery, 'cursor'>, isWanted: boolean) =>
  queryOptions({
    queryKey: ['log', 'nearest', query],
    queryFn: ({ signal }) => apiGet('/api/audit', AuditPage, { query: { ...query, limit: 1 }, signal }),
    enabled: isWanted,
    meta: { topics: [] },
  });
