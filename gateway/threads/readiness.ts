import type { ReleaseId } from '#gateway/contract/release.ts';
import type { Readiness } from '#gateway/http/health.ts';
import type { WorkerStatus } from './messages.ts';

export interface ReadinessParts {
  readonly serves: ReleaseId | null;
  readonly hasContact: boolean;
  readonly statuses: readonly (WorkerStatus | null)[];
  readonly auditBacklog: number;
}

/** What the gateway lacks to serve. The console being away is told but is nothing that it lacks. */
export function readinessOf({ serves, hasContact, statuses, auditBacklog }: ReadinessParts): Readiness {
  const store = storeOf(statuses);
  const down = statuses.filter((status) => status === null).length;
  const missing = [
    ...(serves === null ? ['No release: everything is denied until the console publishes one.'] : []),
    ...(store.reachable ? [] : [`The store: ${store.message}`]),
    ...(down === 0 ? [] : [`${down} of ${statuses.length} workers.`]),
  ];
  return { missing, details: { release: serves, console: hasContact ? 'reachable' : 'away', store, auditBacklog } };
}

/** The store's health as the workers saw it last: reachable when any of them reached it. */
export function storeOf(statuses: readonly (WorkerStatus | null)[]): WorkerStatus['store'] {
  const known = statuses.flatMap((status) => (status === null ? [] : [status.store]));
  return (
    known.find(({ reachable }) => reachable) ??
    known[0] ?? { reachable: false, message: 'The store was not asked yet.' }
  );
}
