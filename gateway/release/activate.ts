import type { Slots } from '#gateway/quota/slots.ts';
import { MAX_SLOTS } from '#gateway/quota/table.ts';
import type { PolicyHost } from '#gateway/threads/policy-host.ts';
import type { Supervisor } from '#gateway/threads/supervise.ts';
import type { ReleaseContent } from './content.ts';
import { ReleaseRejected } from './verify.ts';

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
  content: ReleaseContent,
  { slots, policy, supervisor, nowMs }: ActivatePorts,
): Promise<{ probesPassed: number; parseMs: number }> {
  const startedMs = nowMs();
  const places = slots.assign(content.items.tenant.map(({ name }) => name));
  if (places === null) throw new ReleaseRejected(`The release has more than ${MAX_SLOTS} tenants.`);
  const problem = await policy.load(content);
  if (problem !== null) throw new ReleaseRejected(problem);
  const probesPassed = await runProbes(content, policy);
  const parseMs = nowMs() - startedMs;
  policy.keep(content);
  const refused = await supervisor.swap({ kind: 'release', content, slots: places });
  if (refused !== null) {
    policy.forget(content);
    throw new ReleaseRejected(refused);
  }
  return { probesPassed, parseMs };
}

async function runProbes({ sha256, items }: ReleaseContent, policy: PolicyHost): Promise<number> {
  for (const { expect, ...question } of items.probe) {
    const answer = await policy.decide(sha256, question);
    if (answer?.decision === expect) continue;
    const { principal, action, resource, tenant } = question;
    throw new ReleaseRejected(
      `A probe fails: ${principal} asking ${action} on ${resource} in ${tenant} gets ${answer?.decision ?? 'no answer'}, not ${expect}.`,
    );
  }
  return items.probe.length;
}
