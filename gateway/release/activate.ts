import type { Slots } from '#gateway/quota/slots.ts';
import { MAX_SLOTS } from '#gateway/quota/table.ts';
import type { PolicyHost } from '#gateway/threads/policy-host.ts';
import type { Supervisor } from '#gateway/threads/supervise.ts';
import { itemsOf } from './items.ts';
import { ReleaseRejected } from './release-rejected.ts';
import type { LoadedRelease } from './source.ts';
import { openTable, type Table } from './table.ts';

export interface ActivatePorts {
  readonly slots: Slots;
  readonly policy: PolicyHost;
  readonly supervisor: Pick<Supervisor, 'swap'>;
  readonly nowMs: () => number;
}

/**
 * Makes a verified release current: policies prepared, probes run, then each worker in turn. The probes run before the
 * first swap, so a release that decides otherwise than the console said never serves a request. They begin after
 * authentication and stop before the store: an outage of the store rejects nothing. Throws `ReleaseRejected`.
 */
export async function activate(
  { id, sha256, table: shared, parseMs }: LoadedRelease,
  { slots, policy, supervisor, nowMs }: ActivatePorts,
): Promise<{ probesPassed: number; parseMs: number }> {
  const startedMs = nowMs();
  const table = openTable(shared);
  const tenants = Array.from({ length: table.count('tenant') }, (_, at) => table.name('tenant', at));
  const places = slots.assign(tenants);
  if (places === null) throw new ReleaseRejected(`The release has more than ${MAX_SLOTS} tenants.`);
  const release = { sha256, table: shared };
  const problem = await policy.load(release);
  if (problem !== null) throw new ReleaseRejected(problem);
  const probesPassed = await runProbes(sha256, { table, policy });
  const preparedMs = nowMs() - startedMs;
  policy.keep(release);
  const refused = await supervisor.swap({ kind: 'release', id, sha256, table: shared, slots: places });
  if (refused !== null) {
    policy.forget(release);
    throw new ReleaseRejected(refused);
  }
  return { probesPassed, parseMs: parseMs + preparedMs };
}

async function runProbes(
  sha256: string,
  { table, policy }: { readonly table: Table; readonly policy: PolicyHost },
): Promise<number> {
  const probes = itemsOf(table, 'probe');
  for (const { expect, ...question } of probes) {
    const answer = await policy.decide(sha256, question);
    if (answer?.decision === expect) continue;
    const { principal, action, resource, tenant } = question;
    throw new ReleaseRejected(
      `A probe fails: ${principal} asking ${action} on ${resource} in ${tenant} gets ${answer?.decision ?? 'no answer'}, not ${expect}.`,
    );
  }
  return probes.length;
}
