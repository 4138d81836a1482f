import type { ReleaseId } from '#gateway/contract/release.ts';
import type { Readiness } from '#gateway/http/health.ts';
import type { RegionStatus } from '#gateway/store/regions/health.ts';
import { summaryOf } from '#gateway/store/summary.ts';
import type { WorkerStatus } from './messages.ts';

export interface ReadinessParts {
  readonly serves: ReleaseId | null;
  readonly hasContact: boolean;
  readonly statuses: readonly (WorkerStatus | null)[];
  /** The store's regions as all workers see them. */
  readonly regions: readonly RegionStatus[];
  readonly auditBacklog: number;
}

/** What the gateway lacks to serve. The console being away is told but is nothing that it lacks. */
export function readinessOf({ serves, hasContact, statuses, regions, auditBacklog }: ReadinessParts): Readiness {
  const store = summaryOf(regions);
  const down = statuses.filter((status) => status === null).length;
  const missing = [
    ...(serves === null ? ['No release: everything is denied until the console publishes one.'] : []),
    ...(store.reachable ? [] : [`The store: ${store.message}`]),
    ...(down === 0 ? [] : [`${down} of ${statuses.length} workers.`]),
  ];
  return { missing, details: { release: serves, console: hasContact ? 'reachable' : 'away', store, auditBacklog } };
}
