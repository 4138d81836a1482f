import 'server-only';
import type { AuditShipment } from '#gateway/contract/audit.ts';
import type { ErrorCode } from '#gateway/contract/errors.ts';
import type { Tx } from '#server/db/client.ts';

/** Refusals that a release decides about. A wrong key names nobody, and quotas and bad requests are no matter of access. */
const COUNTED: readonly ErrorCode[] = [
  'forbidden',
  'type_deprecated',
  'unknown_tenant',
  'unknown_type',
  'unknown_edge_type',
];

/**
 * Adds the refusals of rows that were just inserted to the counts of their release, in the same transaction, so that each
 * row counts once. Only calls whose every name is or was registered count; others name nothing that a release took away.
 */
export async function countRefusals(tx: Tx, { stream, from, rows }: AuditShipment): Promise<void> {
  if (!rows.some(({ phase, code }) => phase === 'refusal' && code !== null && COUNTED.includes(code))) return;
  await tx.$executeRaw`
    INSERT INTO refusal_count (release, tenant, principal, operation, type, edge_type, code, policy,
                               requests, first_at, last_at, request_id)
    SELECT e.release, e.tenant, e.actor, e.operation, e.type, coalesce(e.edge_type, ''), e.code, coalesce(e.policy, ''),
           sum(e.count), min(e.at), max(e.at),
           -- Of a row that stands for many the request may not be kept.
           coalesce((array_agg(e.request_id ORDER BY e.at DESC) FILTER (WHERE e.count = 1))[1], max(e.request_id))
    FROM audit_event e
    JOIN definition t ON t.kind = 'tenant' AND t.name = e.tenant
    JOIN definition o ON o.kind = 'objectType' AND o.name = e.type
    LEFT JOIN definition d ON d.kind = 'edgeType' AND d.name = e.edge_type
    WHERE e.stream = ${stream} AND e.seq >= ${from} AND e.seq < ${from + rows.length}
      AND e.phase = 'refusal' AND e.release IS NOT NULL AND e.key_id IS NOT NULL
      AND e.code = ANY(${[...COUNTED]}) AND e.operation NOT IN ('commit', 'batch')
      AND CASE WHEN e.operation LIKE 'edge.%' THEN d.name IS NOT NULL ELSE e.edge_type IS NULL END
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    -- Two shipments that count the same calls lock them in one order.
    ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (release, tenant, principal, operation, type, edge_type, code, policy) DO UPDATE SET
      requests = refusal_count.requests + EXCLUDED.requests,
      first_at = least(refusal_count.first_at, EXCLUDED.first_at),
      last_at = greatest(refusal_count.last_at, EXCLUDED.last_at),
      request_id = CASE WHEN EXCLUDED.last_at >= refusal_count.last_at THEN EXCLUDED.request_id
                        ELSE refusal_count.request_id END`;
}
